"""How one switches, and that nothing of g++ is left when one has."""

import os

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import run
from pytensor.compile.mode import Mode, get_mode
from pytensor.configdefaults import config

import pytensor
from clinch.pytensor import CLINCH, ClinchLinker


def test_by_mode():
    assert get_mode("CLINCH") is CLINCH
    x = pt.dvector("x")
    function = pytensor.function([x], x * 2, mode="CLINCH")
    np.testing.assert_array_equal(function([1.0, 2.0]), [2.0, 4.0])


@pytest.mark.parametrize(
    "name", ["clinch", "clinch_nogc", "clinch_vm", "clinch_vm_nogc"]
)
def test_by_linker(name):
    x = pt.dvector("x")
    mode = Mode(linker=name, optimizer="fast_run")
    assert isinstance(mode.linker, ClinchLinker)
    assert mode.linker.allow_gc is not name.endswith("nogc")
    np.testing.assert_array_equal(
        pytensor.function([x], x * 2, mode=mode)([1.0, 2.0]), [2.0, 4.0]
    )


def test_by_configuration():
    x = pt.dvector("x")
    with config.change_flags(mode=CLINCH):
        function = pytensor.function([x], x + 1)
    assert isinstance(function.maker.linker, ClinchLinker)
    with pytest.raises(ValueError, match="Instead got: CLINCH"):
        config.mode = "CLINCH"


@pytest.mark.parametrize("flags", ["mode=CLINCH", "linker=clinch", "linker=clinch_vm"])
def test_by_environment(flags):
    printed = run(
        """
        import clinch.pytensor
        import pytensor, pytensor.tensor as pt
        x = pt.dvector("x")
        f = pytensor.function([x], x + 1)
        print(type(f.maker.linker).__name__, f([1.0, 2.0]))
        """,
        PYTENSOR_FLAGS=flags,
    )
    assert printed == "ClinchLinker [2. 3.]\n"


def test_what_the_environment_gets_wrong_is_refused_by_pytensor():
    script = """
        try:
            import clinch.pytensor
        except ValueError as error:
            print(error)
        """
    assert "Instead got: CLINCH_VM" in run(script, PYTENSOR_FLAGS="mode=CLINCH_VM")
    assert "Invalid value ('clonch')" in run(script, PYTENSOR_FLAGS="linker=clonch")


WATCHED = """
    import os, sys
    started, made = [], []
    def watch(event, arguments):
        if event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.fork",
                     "os.forkpty", "os.system"):
            if arguments[1] != ["g++", "-v"]:  # PyTensor asks this for itself.
                started.append((event, arguments))
        elif event == "os.mkdir":
            made.append(os.fspath(arguments[0]))
    sys.addaudithook(watch)
    import clinch.pytensor
    import pytensor, pytensor.tensor as pt
    import numpy as np
    if pytensor.__version__.startswith("2."):
        started.clear()  # Its import asks for g++'s version, whatever one says.
    x, m = pt.dvector("x"), pt.dmatrix("m")
    total = pytensor.scan(lambda e, acc: acc + e, x, pt.zeros(()),
                          return_updates=False)
    f = pytensor.function([x, m], [x * 2 + 1, m @ m, total[-1], pt.sort(x), m @ x,
                                   m + 2 * pt.outer(x, x)], mode="CLINCH")
    a, b, c, *rest = f([2.0, 1.0], [[1.0, 0.0], [0.0, 2.0]])
    print(a.tolist(), b.tolist(), float(c), *(r.tolist() for r in rest))
    print("started:", started)
    print("made:", [path for path in made if "compiledir" in path])
    print("modules:", sorted({"cutils_ext", "lazylinker_ext", "filelock"}
                             & set(sys.modules)))
"""
SAID = (
    "[5.0, 3.0] [[1.0, 0.0], [0.0, 4.0]] 3.0 [1.0, 2.0] [2.0, 2.0] "
    "[[9.0, 4.0], [4.0, 4.0]]\n"
    "started: []\nmade: []\nmodules: []\n"
)


def test_with_an_empty_path():
    assert run(WATCHED, PATH="") == SAID


def test_no_process_is_started_where_there_is_gxx():
    assert run(WATCHED) == SAID


def test_pytensor_imported_first():
    """Then PyTensor has looked for g++; Clinch still never starts it."""
    printed = run(
        """
        import pytensor, pytensor.tensor as pt
        before = pytensor.config.cxx
        import sys
        started = []
        sys.addaudithook(lambda e, a: e == "subprocess.Popen" and started.append(a))
        import clinch.pytensor
        x = pt.dvector("x")
        f = pytensor.function([x], pt.tanh(x * 2 + 1), mode="CLINCH")
        print(f([0.0]).shape, started, pytensor.config.cxx == before)
        """
    )
    assert printed == "(1,) [] True\n"


def test_fast_compile_starts_no_compiler_either():
    """PyMC computes its initial points so, Scans among them."""
    printed = run(
        """
        import pytensor, pytensor.tensor as pt
        import sys
        started = []
        sys.addaudithook(lambda e, a: e == "subprocess.Popen" and started.append(a))
        import clinch.pytensor
        clinch.pytensor.use()
        x = pt.dvector("x")
        total = pytensor.scan(lambda e, acc: acc + pt.tanh(e), x, pt.zeros(()),
                              return_updates=False)
        f = pytensor.function([x], total[-1] * 2, mode="FAST_COMPILE")
        print(f([0.0, 0.0]), started)
        clinch.pytensor.unuse()
        f = pytensor.function([x], total[-1] * 2, mode="FAST_COMPILE")
        print(f([0.0, 0.0]))
        """
    )
    assert printed == "0.0 []\n0.0\n"


def test_the_environment_is_left_as_it_was(gxx):
    script = """
        import os
        import clinch.pytensor
        print(os.environ.get("PYTENSOR_FLAGS"))
        import pytensor
        print(pytensor.config.cxx, pytensor.config.floatX)
    """
    assert run(script) == f"None\n{gxx} float64\n"
    flags = "floatX=float32,cxx="
    assert run(script, PYTENSOR_FLAGS=flags) == f"{flags}\n float32\n"


def test_other_modes_are_as_they_were():
    """With g++ asked for, PyTensor's own linkers keep using it."""
    printed = run(
        """
        import clinch.pytensor
        import pytensor, pytensor.tensor as pt
        x = pt.dvector("x")
        print(pytensor.function([x], x + 1, mode="CLINCH")([1.0]))
        print(pytensor.function([x], x + 1, mode="FAST_COMPILE")([1.0]))
        print(repr(pytensor.config.cxx))
        """,
        PYTENSOR_FLAGS="cxx=",
    )
    assert printed == "[2.]\n[2.]\n''\n"


def test_pytensors_own_linkers_are_its_own_business(gxx):
    """`cvm` asks g++, also after `use()`, and never us."""
    printed = run(
        """
        import clinch, clinch.pytensor
        clinch.pytensor.use()
        import pytensor, pytensor.tensor as pt
        from pytensor.compile.mode import Mode
        x = pt.dvector("x")
        before = clinch.cache_info()["compiles"]
        f = pytensor.function([x], x * 3, mode=Mode("cvm", "fast_run"))
        print(f([1.0]), pytensor.config.cxx, clinch.cache_info()["compiles"] - before)
        """,
        PYTENSOR_FLAGS=f"base_compiledir={os.environ.get('TMPDIR', '/tmp')}/own-business",
    )
    assert printed == f"[3.] {gxx} 0\n"


def test_pytensors_own_linkers_have_the_c_of_gxx(gxx):
    """Also where Clinch is imported first, and PyTensor without looking for g++."""
    script = """
        {imported}
        import pytensor, pytensor.tensor as pt
        import pytensor.compile.mode as modes
        x = pt.dvector("x")
        for name in ("cvm", "vm", "cvm_nogc", "vm_nogc"):
            linker = modes.predefined_linkers[name]
            f = pytensor.function([x], x * 3, mode=modes.Mode(name, "fast_run"))
            print(f([1.0]), hasattr(f.vm.thunks[0], "cthunk"), linker.c_thunks,
                  linker.required_rewrites, linker.incompatible_rewrites)
        f = pytensor.function([x], x * 3, mode="CVM")
        print(f([1.0]), hasattr(f.vm.thunks[0], "cthunk"))
        """
    flags = f"base_compiledir={os.environ.get('TMPDIR', '/tmp')}/own-business"
    ours, theirs = (
        run(script.format(imported=imported), PYTENSOR_FLAGS=flags)
        for imported in ("import clinch.pytensor", "")
    )
    assert ours == theirs
    assert ours.count("[3.] True") == 5


def test_without_a_compiler_they_run_python():
    printed = run(
        """
        import clinch.pytensor
        import pytensor, pytensor.tensor as pt
        x = pt.dvector("x")
        f = pytensor.function([x], x * 3, mode="CVM")
        print(f([1.0]), hasattr(f.vm.thunks[0], "cthunk"))
        """,
        PATH="",
    )
    assert printed == "[3.] False\n"
