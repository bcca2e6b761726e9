"""OpenMP: on the process's runtime, done without where there is none."""

import warnings

import numpy as np
import pytensor.scalar as ps
import pytensor.tensor as pt
import pytest
from ops import CText
from pytensor.configdefaults import config
from pytensor.link.c.op import OpenMPOp
from pytensor.tensor.elemwise import Elemwise

import pytensor
from clinch import _clinch
from clinch.pytensor import ClinchDebugMode, openmp


@pytest.fixture(autouse=True)
def _asked_for():
    with config.change_flags(openmp=True, openmp_elemwise_minsize=10):
        yield


@pytest.fixture
def found():
    if not _clinch.openmp():
        pytest.skip("there is no OpenMP")


@pytest.fixture
def absent(monkeypatch):
    """As on a machine without OpenMP, in a process that has not said so yet."""
    monkeypatch.setattr(_clinch, "openmp", lambda: "")
    openmp._warn.cache_clear()
    yield
    openmp._warn.cache_clear()


class Threads(CText, OpenMPOp):
    """z = how many threads a region of two has."""

    def __init__(self):
        CText.__init__(
            self,
            """
            int threads = 1;
            #ifdef _OPENMP
            #pragma omp parallel num_threads(2)
            {
              #pragma omp single
              threads = omp_get_num_threads();
            }
            #endif
            z = threads;
            """,
        )
        OpenMPOp.__init__(self)


class Refuses(ps.UnaryScalarOp):
    """Fails for what is negative."""

    def impl(self, x):
        raise AssertionError("impl must not run")

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]}; if ({inputs[0]} < 0) {sub['fail']}"

    def c_code_cache_version(self):
        return (1,)


def elementwise_nodes(function):
    return [n for n in function.maker.fgraph.apply_nodes if isinstance(n.op, Elemwise)]


def test_a_region_has_its_threads(found):
    x = pt.dscalar("x")
    assert pytensor.function([x], Threads()(x), mode="CLINCH")(0.0) == 2.0


def test_elementwise_on_many_threads(found):
    x, m = pt.dvector("x"), pt.dmatrix("m")
    # Until PyTensor 2.38 its own Ops keep the flag that they were imported under.
    add, multiply = Elemwise(ps.add), Elemwise(ps.mul)
    outputs = [pt.exp(x) * 2, add(m, x), multiply(m.T, m)]
    parallel = pytensor.function([x, m], outputs, mode="CLINCH")
    assert {node.op.openmp for node in elementwise_nodes(parallel)} == {True}
    with config.change_flags(openmp=False):
        serial = pytensor.function([x, m], outputs, mode="CLINCH")
    values = np.linspace(0, 1, 50), np.linspace(1, 2, 2500).reshape(50, 50)
    for left, right in zip(parallel(*values), serial(*values), strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_failure_in_a_loop(found):
    """There the failure cannot jump: it is seen after the loop.

    On one thread: PyTensor's text for a failure must not run in others.
    """
    x = pt.dvector("x")
    function = pytensor.function([x], Elemwise(Refuses(ps.same_out))(x), mode="CLINCH")
    assert function(np.ones(3)).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(RuntimeError, match="^Unexpected error in an Op's C code"):
        function(-np.ones(3))


def test_debug_mode_starts_no_compiler(found, monkeypatch):
    class Two(Threads):
        def perform(self, node, inputs, outputs):
            outputs[0][0] = np.asarray(2.0)

    def probe():
        raise AssertionError("PyTensor would start g++")

    monkeypatch.setattr(OpenMPOp, "gxx_support_openmp", None)
    monkeypatch.setattr(OpenMPOp, "test_gxx_support", staticmethod(probe))
    x, s = pt.dvector("x"), pt.dscalar("s")
    mode = ClinchDebugMode(optimizer=None)
    exp = Elemwise(ps.exp)
    function = pytensor.function([x, s], [exp(x), Two()(s)], mode=mode)
    assert {node.op.openmp for node in elementwise_nodes(function)} == {True}
    values = np.linspace(0, 1, 50)
    many, two = function(values, 0.0)
    np.testing.assert_allclose(many, np.exp(values), rtol=1e-14)
    assert two == 2.0


def test_one_thread_and_a_warning_where_there_is_none(absent):
    x, s = pt.dvector("x"), pt.dscalar("s")
    with pytest.warns(UserWarning, match="^Clinch finds no OpenMP") as said:
        function = pytensor.function([x, s], [pt.exp(x) * 2, Threads()(s)], mode="CLINCH")
    assert len(said) == 1
    assert [v.tolist() for v in function([0.0], 0.0)] == [[2.0], 1.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pytensor.function([x], x * 3 + 1, mode="CLINCH")
