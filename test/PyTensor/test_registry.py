"""Which Ops Clinch has C for, and PyTensors that the tests have not been run with."""

import warnings

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import run
from pytensor.compile.builders import OpFromGraph
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.tensor.random.op import RandomVariable
from pytensor.tensor.sort import SortOp

import clinch.pytensor
import pytensor
from clinch.pytensor import registry, versions
from clinch.pytensor.c_ops import COp
from clinch.pytensor.in_python import runs_in_python


def test_what_is_registered_is_listed_with_its_version():
    listed = dict(clinch.pytensor.registered())
    assert listed["pytensor.link.c.op.COp"] == 1
    assert listed["pytensor.tensor.sort.SortOp"] == 2
    assert listed["pytensor.scan.op.Scan"] == 2
    assert listed["pytensor.tensor.subtensor.AdvancedSubtensor"] == 6
    assert "pytensor.tensor.random.op.RandomVariable" in listed
    assert clinch.pytensor.registered() == sorted(listed.items())


def test_a_class_derived_from_a_registered_one_is_its_authors():
    class Backwards(SortOp):
        def perform(self, node, inputs, outputs):
            outputs[0][0] = np.sort(inputs[0])[::-1]

    x = pt.dvector("x")
    z = Backwards("quicksort")(x, pt.constant(0)) if "axis" not in SortOp.__props__ else (
        Backwards("quicksort", 0)(x)
    )
    assert registry.with_code(z.owner) is None
    made = pytensor.function([x], z, mode="CLINCH")
    np.testing.assert_array_equal(made([1.0, 3.0, 2.0]), [3.0, 2.0, 1.0])


def subclasses(kind):
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


def test_each_op_of_this_pytensor_is_known():
    """As one with C of its own, or as one that PyTensor runs in Python; so what a later
    version adds can be told from them."""
    import pytensor.sparse  # noqa: F401

    known = (COp, OpFromGraph, RandomVariable)
    own = [k for k in subclasses(Op) if k.__module__.startswith("pytensor.")]
    assert len(own) > 300
    assert [k for k in own if not issubclass(k, known) and not runs_in_python(k)] == []


@pytest.fixture
def later(monkeypatch):
    """As if this were a later version."""
    monkeypatch.setattr(versions, "installed_name", lambda: "3.9.1")


def test_a_version_that_was_not_tested_is_taken_with_a_warning(later):
    with pytest.warns(UserWarning) as said:
        versions.check()
    assert [str(warning.message) for warning in said] == [
        "clinch.pytensor has not been tested with PyTensor 3.9.1, but with 2.38, 3.0 and "
        "3.3. An Op of PyTensor's that it does not know is an error."
    ]


def test_what_is_known_runs_there_too(later):
    class Authors(Op):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

        def perform(self, node, inputs, outputs):
            outputs[0][0] = inputs[0] + 1

    x = pt.dvector("x")
    drawn = pt.random.normal(x, 1, size=(2,), rng=pytensor.shared(np.random.default_rng(1)))
    outputs = [pt.sort(x) * 2, Authors()(x), drawn, pt.unique(x)]
    function = pytensor.function([x], outputs, mode="CLINCH")
    doubled, more, _, once = function([2.0, 1.0])
    assert doubled.tolist() == [2.0, 4.0]
    assert more.tolist() == [3.0, 2.0]
    assert once.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("linker", ["clinch", "clinch_vm"])
def test_an_op_of_which_nobody_knows_is_an_error(later, linker):
    class New(Op):
        __module__ = "pytensor.tensor.new"

        def make_node(self, x):
            return Apply(self, [x], [x.type()])

        def perform(self, node, inputs, outputs):
            raise AssertionError("It must not run.")

    x = pt.dvector("x")
    mode = pytensor.compile.mode.Mode(linker, None)
    with pytest.raises(RuntimeError) as raised:
        pytensor.function([x], New()(x), mode=mode)
    assert str(raised.value) == (
        "clinch.pytensor does not know how to compile pytensor.tensor.new."
        f"{New.__qualname__} of PyTensor 3.9.1, with which it has not been tested: it has "
        "been with 2.38, 3.0 and 3.3."
    )


def test_of_a_tested_version_such_an_op_runs_in_python():
    class New(Op):
        __module__ = "pytensor.tensor.new"

        def make_node(self, x):
            return Apply(self, [x], [x.type()])

        def perform(self, node, inputs, outputs):
            outputs[0][0] = inputs[0] + 1

    x = pt.dvector("x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function = pytensor.function([x], New()(x), mode="CLINCH")
    assert function([1.0]).tolist() == [2.0]


DOCTORED = """
import importlib.metadata, warnings
real = importlib.metadata.version
importlib.metadata.version = lambda name: "3.9.1" if name == "pytensor" else real(name)

# PyTensor as it plans to be: no Op has C of its own.
import pytensor, pytensor.tensor as pt
import pytensor.link.c.op as c_op
import pytensor.scan.op, pytensor.tensor.special
try:
    import pytensor.tensor.blas.blas_c
except ImportError:  # Its place in older versions.
    import pytensor.tensor.blas_c
from pytensor.graph.op import Op
gone = (c_op.COp, c_op.OpenMPOp, c_op.ExternalCOp, c_op._NoPythonCOp)

def kinds(kind):
    for one in list(kind.__subclasses__()):
        yield one
        yield from kinds(one)

for kind in set(kinds(c_op.COp)) - set(gone):
    bases = tuple(dict.fromkeys(Op if base in gone else base for base in kind.__bases__))
    kind.__bases__ = tuple(b for b in bases if b is not Op) + (Op,) * (Op in bases)
del c_op.COp, c_op.OpenMPOp

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    import clinch.pytensor
print([str(w.message)[:55] for w in said if "clinch" in str(w.message)])
print([kind for kind, _ in clinch.pytensor.registered() if kind.endswith("COp")])
x = pt.dvector("x")
for z in (pt.exp(x), x[1:], x.sum()):
    try:
        pytensor.function([x], z, mode=pytensor.compile.mode.Mode("clinch", None))
    except RuntimeError as error:
        print(str(error).split(", with")[0])
f = pytensor.function([x], pt.sort(x), mode=pytensor.compile.mode.Mode("clinch", None))
print(f([3.0, 1.0]), f.vm.steps[0].compiled)
"""


def test_a_pytensor_without_cop_is_told_of():
    assert run(DOCTORED).splitlines() == [
        "['clinch.pytensor has not been tested with PyTensor 3.9.1']",
        "['clinch.integrations.pytensor.c_ops.COp']",
        "clinch.pytensor does not know how to compile pytensor.tensor.elemwise.Elemwise of "
        "PyTensor 3.9.1",
        "clinch.pytensor does not know how to compile pytensor.tensor.subtensor.Subtensor of "
        "PyTensor 3.9.1",
        "clinch.pytensor does not know how to compile pytensor.tensor.math.Sum of PyTensor "
        "3.9.1",
        "[1. 3.] True",
    ]
