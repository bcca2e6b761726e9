"""BLAS: found without a compiler, as the user says, or done without."""

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode
from pytensor.configdefaults import config
from test_switch import run

import pytensor
from clinch.pytensor import blas
from clinch.pytensor.config import compiling

if not blas.ldflags():
    pytest.skip("there is no BLAS", allow_module_level=True)

LINKERS = ["clinch", "clinch_vm"]


def ops(function):
    return [type(node.op).__name__ for node in function.maker.fgraph.toposort()]


def random(*shape, dtype="float64"):
    return np.random.default_rng(7).uniform(-1, 1, shape).astype(dtype)


def test_pytensor_knows_it_while_a_linker_of_ours_works():
    outside = config.blas__ldflags
    with compiling():
        assert config.blas__ldflags == blas.ldflags()
    assert config.blas__ldflags == outside


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("linker", LINKERS)
def test_each_op_in_c(linker, dtype):
    a, b, c = (pt.matrix(n, dtype=dtype) for n in "abc")
    v = pt.vector("v", dtype=dtype)
    t = pt.tensor("t", dtype=dtype, shape=(None, None, None))
    cases = [
        ("Dot22", [a, b], a @ b),
        ("Dot22Scalar", [a, b], pt.constant(2, dtype=dtype) * (a @ b)),
        ("Gemm", [a, b, c], c + a @ b),
        ("CGemv", [a, v], a @ v),
        ("BatchedDot", [t], pt.matmul(t, t)),
    ]
    if hasattr(pytensor.tensor.blas, "Ger"):  # Newer versions have none.
        cases.append(("CGer", [v, c], c + pt.outer(v, v)))
    values = {
        a: random(3, 3, dtype=dtype),
        b: random(3, 3, dtype=dtype),
        c: random(3, 3, dtype=dtype),
        v: random(3, dtype=dtype),
        t: random(2, 3, 3, dtype=dtype),
    }
    for name, inputs, output in cases:
        function = pytensor.function(inputs, output, mode=Mode(linker, "fast_run"))
        assert name in ops(function)
        thunks = dict(zip(ops(function), function.vm.thunks, strict=True))
        assert hasattr(thunks[name], "cthunk")
        given = [values[v] for v in inputs]
        expected = pytensor.function(inputs, output, mode=Mode("py", None))(*given)
        result = function(*given)
        assert result.dtype == dtype
        rtol = 1e-5 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(result, expected, rtol=rtol, atol=rtol)


def test_beta_of_zero_forgets_what_was_there():
    a, v, y, beta = pt.dmatrix("a"), pt.dvector("v"), pt.dvector("y"), pt.dscalar("b")
    function = pytensor.function([a, v, y, beta], beta * y + a @ v, mode="CLINCH")
    assert ops(function) == ["CGemv"]
    result = function(np.ones((2, 3)), np.ones(3), np.full(2, np.nan), 0)
    assert result.tolist() == [3.0, 3.0]


def test_without_one_numpy_does_it():
    """An empty flag is the user's word, also where there is a BLAS."""
    a = pt.dmatrix("a")
    with config.change_flags(blas__ldflags=""):
        function = pytensor.function([a], a @ a, mode="CLINCH")
        t = pt.dtensor3("t")
        batched = pytensor.function([t], pt.matmul(t, t), mode="CLINCH")
    np.testing.assert_array_equal(function(np.eye(2)), np.eye(2))
    assert not hasattr(batched.vm.thunks[0], "cthunk")
    np.testing.assert_array_equal(batched(np.ones((1, 2, 2))), np.full((1, 2, 2), 2.0))


def test_what_pytensor_computes_for_itself_is_not_the_users_word():
    """Neither when it has looked, nor when somebody has set the flag for a while."""
    printed = run(
        """
        import clinch.pytensor
        from clinch.pytensor.config import compiling
        from pytensor.configdefaults import config

        def seen():
            with compiling():
                return config.blas__ldflags == clinch.pytensor.blas.ldflags()

        before = seen()
        config.blas__ldflags
        looked = seen()
        with config.change_flags(blas__ldflags=""):
            told = seen()
        print(before, looked, told, seen())
        """
    )
    assert printed == "True True False True\n"


SCRIPT = """
    import clinch.pytensor
    import pytensor, pytensor.tensor as pt
    a, v = pt.dmatrix("a"), pt.dvector("v")
    f = pytensor.function([a, v], a @ v, mode="CLINCH")
    print([type(n.op).__name__ for n in f.maker.fgraph.toposort()][-1:],
          f([[1.0, 2.0]], [3.0, 4.0]))
"""


def test_the_users_word_counts():
    """In the environment, and in a file."""
    assert run(SCRIPT) == "['CGemv'] [11.]\n"
    assert run(SCRIPT, PYTENSOR_FLAGS="blas__ldflags=") == "['Gemv'] [11.]\n"


def test_the_users_file_counts(tmp_path):
    file = tmp_path / "rc"
    file.write_text("[blas]\nldflags =\n")
    assert run(SCRIPT, PYTENSORRC=str(file)) == "['Gemv'] [11.]\n"


def test_pytensor_imported_first():
    """PyTensor is not made to ask g++, and keeps what it will find out itself."""
    script = "import pytensor\n" + SCRIPT.replace("\n    ", "\n").rstrip()[:-1]
    script += ",\n      hasattr(pytensor.config._config_var_dict['blas__ldflags'], 'val'))\n"
    assert run(script) == "['CGemv'] [11.] False\n"
