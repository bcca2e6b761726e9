"""Ops whose `perform` is called from the thunk: its values, warnings and errors."""

import warnings

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from pytensor.compile.mode import Mode
from pytensor.tensor.blockwise import Blockwise
from pytensor.tensor.type_other import NoneConst
from test_native import _random, check, compiled, layouts, positive

import pytensor
from clinch.pytensor.versions import find


def _op(name, deeper, before):
    return find(f"pytensor.tensor.linalg.{deeper}:{name}", f"pytensor.tensor.{before}:{name}")


Solve = _op("Solve", "solvers.general", "slinalg")
Eigh = _op("Eigh", "decomposition.eigen", "nlinalg")
Eigvalsh = _op("Eigvalsh", "decomposition.eigen", "slinalg")
LUFactor = _op("LUFactor", "decomposition.lu", "slinalg")
PivotToPermutations = _op("PivotToPermutations", "decomposition.lu", "slinalg")
MatrixInverse = _op("MatrixInverse", "inverse", "nlinalg")
Det = _op("Det", "summary", "nlinalg")
SLogDet = _op("SLogDet", "summary", "nlinalg")

EIGH = Eigh(UPLO="L") if "UPLO" in Eigh.__props__ else Eigh(lower=True)
DTYPES = pytest.mark.parametrize("dtype", ["float32", "float64"])


def ops(a, b):
    """One of each Op."""
    factors, pivots = LUFactor()(a)
    z = [Solve(assume_a=kind, b_ndim=2)(a, b) for kind in ("gen", "pos", "tridiagonal")]
    z += [Solve(b_ndim=1)(a, b[:, 0]), *EIGH(a), factors, pivots]
    z += [PivotToPermutations(inverse=i)(pivots) for i in (True, False)]
    z += [Eigvalsh(lower=True)(a, NoneConst), Eigvalsh(lower=True)(a, a)]
    return [*z, MatrixInverse()(a), Det()(a), *SLogDet()(a)]


@DTYPES
def test_linear_algebra(dtype):
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    for matrix in layouts(positive(4, dtype)):
        check([a, b], ops(a, b), matrix, _random.normal(size=(4, 2)).astype(dtype))


@DTYPES
def test_general_systems(dtype):
    """Of one item, and of no right side, too."""
    a, b = (pt.matrix(n, dtype=dtype) for n in "ab")
    z = [Solve(b_ndim=2)(a, b), Solve(b_ndim=1)(a, b[:, 0])]
    for size, count in ((1, 1), (2, 3), (7, 1), (70, 5)):
        for matrix in layouts(_random.normal(size=(size, size)).astype(dtype)):
            for right in layouts(_random.normal(size=(size, count)).astype(dtype)):
                check([a, b], z, matrix, right)
    check([a, b], z[:1], np.eye(3, dtype=dtype), np.ones((3, 0), dtype))


@DTYPES
@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 3)])
def test_a_right_side_that_is_no_longer_needed_is_written_over(dtype, shape):
    a, b = pt.matrix("a", dtype=dtype), pt.tensor("b", dtype=dtype, shape=(None,) * len(shape))
    op = Blockwise(Solve(b_ndim=len(shape)))
    given = [a, pytensor.In(b, mutable=True)]
    over = pytensor.function(given, op(a, b), mode="CLINCH")
    kept = pytensor.function([a, b], op(a, b), mode="CLINCH")
    assert over.maker.fgraph.outputs[0].owner.op.destroy_map == {0: [1]}
    matrix, right = positive(4, dtype), np.asfortranarray(_random.normal(size=shape), dtype)
    wanted, before = kept(matrix, right), right.copy()
    assert same_bits(before, right)
    assert same_bits(over(matrix, right), wanted) and same_bits(right, wanted)


def test_complex_matrices_are_left_to_python():
    """PyTensor says that their eigenvectors are real."""
    x = pt.zmatrix("x")
    half = _random.normal(size=(3, 3)) + 1j * _random.normal(size=(3, 3))
    matrix = half + half.conj().T
    values, vectors = pytensor.function([x], EIGH(x), mode="CLINCH")(matrix)
    np.testing.assert_allclose(vectors * values @ vectors.conj().T, matrix)


def test_batches():
    x = pt.tensor("x", dtype="float64", shape=(None, None, None))
    b = pt.tensor("b", dtype="float64", shape=(1, None, None))
    values = np.stack([positive(4) for _ in range(5)])
    z = [Blockwise(Solve(b_ndim=2))(x, b), *Blockwise(EIGH, signature="(m,m)->(m),(m,m)")(x)]
    z += [Blockwise(op)(x) for op in (MatrixInverse(), Det())]
    check([x, b], z, values, _random.normal(size=(1, 4, 2)))


def heard(function, *values):
    """What a function returns, and what it warns of."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = function(*values)
    return made, [(w.category, str(w.message)) for w in told]


def test_matrices_with_bad_condition_and_with_none():
    a, b = pt.dmatrices("a", "b")
    z = [Solve(b_ndim=2)(a, b)]
    ours, theirs = compiled([a, b], z), pytensor.function([a, b], z, mode=Mode("py", None))
    for matrix in (np.diag([1.0, 1.0, 1e-18]), np.zeros((3, 3))):
        (left, said), (right, their) = (heard(f, matrix, np.eye(3)) for f in (ours, theirs))
        assert same_bits(left[0], right[0])
        assert said == their
    assert "LinAlgWarning" in str(heard(ours, np.diag([1.0, 1.0, 1e-18]), np.eye(3))[1])


def test_a_vector_stays_one_where_there_is_no_solution():
    """PyTensor's Python gives a matrix there."""
    a, v = pt.dmatrix("a"), pt.dvector("v")
    (none,) = compiled([a, v], [Solve(b_ndim=1)(a, v)])(np.zeros((3, 3)), np.ones(3))
    assert none.shape == (3,) and np.isnan(none).all()


@pytest.mark.parametrize(("op", "value"), [
    (MatrixInverse(), np.ones((2, 2))),
    (Det(), np.ones((2, 3))),
    (EIGH, np.full((3, 3), np.nan)),
    (PivotToPermutations(inverse=True), np.array([0, 4], "int32")),
])  # fmt: skip
def test_what_is_wrong_is_said_as_perform_does(op, value):
    x = pt.tensor("x", dtype=value.dtype, shape=(None,) * value.ndim)
    z = op(x) if not isinstance(op(x), list) else op(x)[0]
    outcomes = []
    for function in (compiled([x], [z]), pytensor.function([x], [z], mode=Mode("py", None))):
        try:
            outcomes.append(np.isnan(function(value)[0]).tolist())
        except (ValueError, IndexError, np.linalg.LinAlgError) as error:
            outcomes.append((type(error), str(error).splitlines()[0]))
    assert outcomes[0] == outcomes[1]


def test_eye():
    n, m, k = pt.lscalar("n"), pt.iscalar("m"), pt.bscalar("k")
    for dtype in ("bool", "float64"):
        z = [pt.eye(n, m, k, dtype=dtype)]
        check([n, m, k], z, np.int64(4), np.int32(2), np.int8(-1))
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        compiled([n, m, k], z)(-1, 2, 0)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32"])
def test_sorting(dtype):
    x = pt.matrix("x", dtype=dtype)
    z = [f(x, axis) for f in (pt.sort, pt.argsort) for axis in (0, -1, None)]
    z += [f(x, 0, kind="stable") for f in (pt.sort, pt.argsort)]
    for matrix in layouts(_random.integers(0, 9, (6, 5)).astype(dtype)):
        check([x], z, matrix)
