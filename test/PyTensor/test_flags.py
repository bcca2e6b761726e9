"""`gcc__cxxflags` as users and PyMC set it, pickled flags, and versions that are not
supported."""

import pickle
import warnings

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import run
from ops import CText
from pytensor.configdefaults import config

import clinch.pytensor
import pytensor
from clinch.pytensor import versions, wait
from clinch.pytensor.compileflags import compile_flags

#: What PyMC adds when it is imported.
PYMC = (
    "-Wno-c++11-narrowing -fno-exceptions -fno-unwind-tables "
    "-fno-asynchronous-unwind-tables"
)


def test_what_pymc_sets():
    x = pt.dvector("x")
    with config.change_flags(gcc__cxxflags=f"{config.gcc__cxxflags} {PYMC}"):
        assert "-fno-exceptions" not in compile_flags()
        assert "-Wno-c++11-narrowing" in compile_flags()
        function = pytensor.function([x], pt.exp(x) * 2 + 1, mode="CLINCH")
    np.testing.assert_array_equal(function([0.0]), [3.0])


def test_what_an_op_throws_is_still_caught():
    x = pt.dscalar("x")
    throws = CText("throw 1;")
    with config.change_flags(gcc__cxxflags=PYMC):
        function = pytensor.function([x], throws(x), mode="CLINCH")
    with pytest.raises(RuntimeError):
        function(1.0)


@pytest.mark.parametrize(
    "flag",
    "-g -ggdb3 -pipe -fPIC -Wl,-O1 -flto -O3 -O0 -march=x86-64 -std=c++11".split(),
)
def test_flags_for_gxx_that_mean_nothing_here_or_the_same(flag):
    x = pt.dvector("x")
    with config.change_flags(gcc__cxxflags=flag):
        function = pytensor.function([x], x + 1, mode="CLINCH")
    np.testing.assert_array_equal(function([0.0]), [1.0])


@pytest.mark.parametrize("removed", [False, True])
def test_levels_may_be_removed(removed):
    x = pt.dscalar("x")
    text = "#ifdef __OPTIMIZE__\nz = 1;\n#else\nz = x;\n#endif\n"
    flags = {"gcc__cxxflags": "-O2", "cmodule__remove_gxx_opt": removed}
    with config.change_flags(**flags):
        function = pytensor.function([x], CText(text)(x), mode="CLINCH")
    assert function(7.0) == (7.0 if removed else 1.0)


def test_an_op_may_forbid_the_level_of_the_tier():
    class Slow(CText):
        def c_no_compile_args(self, **kwargs):
            return ["-O3"]

    x = pt.dscalar("x")
    text = "#ifdef __OPTIMIZE__\nz = 1;\n#else\nz = x;\n#endif\n"
    function = pytensor.function([x], Slow(text)(x), mode="CLINCH")
    function(7.0), function(7.0)
    wait()
    assert function(7.0) == 7.0


def test_a_flag_that_nobody_knows_is_named():
    x = pt.dvector("x")
    with config.change_flags(gcc__cxxflags="-march=nonesuch"):
        with pytest.raises(ValueError) as raised:
            pytensor.function([x], x + 1, mode="CLINCH")
    assert "does not take these flags: unknown target CPU 'nonesuch'." in str(
        raised.value
    )
    assert "PyTensor's flag `gcc__cxxflags` says: -march=nonesuch" in "\n".join(
        raised.value.__notes__
    )


@pytest.mark.parametrize("order", ["clinch.pytensor, pymc", "pymc, clinch.pytensor"])
def test_the_order_of_imports_does_not_matter(order, tmp_path):
    """PyMC sets flags when it is imported; this is what it does there."""
    (tmp_path / "pymc.py").write_text(
        f"import pytensor\npytensor.config.gcc__cxxflags += ' {PYMC}'\n"
    )
    printed = run(
        f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import {order}
        import pytensor, pytensor.tensor as pt
        x = pt.dvector("x")
        print(pytensor.function([x], pt.exp(x), mode="CLINCH")([0.0]))
        """
    )
    assert printed == "[1.]\n"


def test_older_versions_are_refused(monkeypatch):
    monkeypatch.setattr(versions, "installed_name", lambda: "2.37.0")
    with pytest.raises(ImportError) as raised:
        versions.check()
    assert str(raised.value) == (
        "clinch.pytensor does not support PyTensor 2.37.0; it has been tested with 2.38, "
        "3.0 and 3.3."
    )


@pytest.mark.parametrize("number", ["2.38.3", "3.0.7", "3.3.7"])
def test_these_are_taken_without_a_word(number, monkeypatch):
    monkeypatch.setattr(versions, "installed_name", lambda: number)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        versions.check()


def test_flags_are_pickled_as_pytensors_own():
    """For a process that may not have Clinch's values of a thread."""
    with config.change_flags(mode=clinch.pytensor.CLINCH):
        copied = pickle.loads(pickle.dumps(config))._config_var_dict
    assert type(copied["mode"].val.linker).__name__ == "ClinchLinker"
    for name in ("cxx", "blas__ldflags"):
        here = config._config_var_dict[name]
        assert getattr(copied[name], "val", None) == getattr(here, "val", None)
        assert type(copied[name]).__module__ == "pytensor.configparser"
        assert issubclass(type(here), type(copied[name]))
