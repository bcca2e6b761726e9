"""Every label of every shipped Op, for every Type that it takes, made to fail
in both forms: the error, its note, the counts, the outputs of the call before.
"""

import ctypes
import gc
import sys

import numpy
import pytest

import clinch
from clinch import (CDataType, EnumList, ParamsType, Scalar, TensorType, deep_copy_op,
                    double, generic, shape, shape_i, view_op)
from clinch.testing import TextOp
from clinch.ops.generic_ops import casts
from clinch.ops.scalar_ops import scalar_ops
from injection import Injected, failing
from theano_ops import ExternalVectorProduct, VectorTimesScalar
from test_scalar_ops import DTYPES, outputs_for
from thunks import passing


#: x plus parameters: an array, a float and a name.
parameters = TextOp(
    "{z} = {x} + {params}->b + {params}->c + *(double *)PyArray_DATA({params}->a);",
    params_type=ParamsType(a=TensorType("float64", (1,)), b=double,
                           c=EnumList("ONE", "TWO")),
    get_params=lambda node: {"a": numpy.array([1.5]), "b": 2.0, "c": 1})


def capsule():
    """A capsule around memory that outlives it."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(id(int), None, None)


def variables(*types):
    return [t(f"x{i}") for i, t in enumerate(types)]


def scalar_graph(arity, dtypes):
    ins = variables(*(Scalar(d) if d else double for d in dtypes))
    values = [numpy.dtype(d).type(1) if d else 1.25 for d in dtypes]
    return ins, [o for _, o in outputs_for(ins, arity)], values


def cast_graph(dtype):
    ins = variables(Scalar(dtype) if dtype else double)
    complex_ = dtype and dtype.startswith("complex")
    outs = [op(ins[0]) for op in casts.values()
            if not complex_ or op.dtype.startswith(("bool", "complex"))]
    return ins, outs, [numpy.dtype(dtype).type(1) if dtype else 1.25]


def generic_graph(variable_type, value):
    """All that is registered for the Type, on an input and on a temporary."""
    x, = variables(variable_type)
    outs = [deep_copy_op(view_op(deep_copy_op(x))), view_op(x)]
    if isinstance(variable_type, CDataType):
        outs = [passing(x)]
    if isinstance(variable_type, TensorType):
        outs += [shape(deep_copy_op(x)), shape(x)]
        outs += [shape_i(x, i) for i in range(variable_type.ndim)]
    return [x], outs, [value]


def constants_graph():
    """Constants of each Type are blocks too, and of the struct's `init`."""
    x, = variables(double)
    given = [clinch.constant(numpy.arange(3.0)),
             clinch.constant([1, 2], type=generic),
             clinch.constant(numpy.complex64(1 + 2j)), clinch.constant(2.5)]
    return [x], [x * 2.5, *map(deep_copy_op, given)], [1.25]


def params_graph():
    x, = variables(double)
    return [x], [parameters(parameters(x))], [1.25]


def author_graph():
    v, w, s = variables(*[TensorType("float64", (None,))] * 2,
                        TensorType("float64", ()))
    product = ExternalVectorProduct()(v, w)
    return ([v, w, s], [VectorTimesScalar()(product, s)],
            [numpy.ones(3), numpy.ones(3), numpy.array(2.0)])


def graphs():
    """name -> a function that makes (inputs, outputs, values)"""
    made = {}
    for d in [None, *DTYPES]:
        name = d or "double"
        for arity in (1, 2, 3):
            made[f"{arity} {name}"] = lambda a=arity, d=d: scalar_graph(
                a, [d] * a)
        made[f"casts {name}"] = lambda d=d: cast_graph(d)
        kind = Scalar(d) if d else double
        one = numpy.dtype(d).type(1) if d else 1.25
        made[f"copies {name}"] = lambda k=kind, v=one: generic_graph(k, v)
    for dtypes in (("bool", "int8", "int8"), ("int8", "uint8"),
                   ("float32", "int64"), (None, "complex64")):
        made["mixed " + "-".join(map(str, dtypes))] = (
            lambda d=dtypes: scalar_graph(len(d), d))
    for d in DTYPES:
        made[f"arrays {d}"] = lambda d=d: generic_graph(
            TensorType(d, (None, 2)), numpy.ones((3, 2), d))
    for ndim in (0, 1, 4):
        made[f"arrays of {ndim} dimensions"] = lambda n=ndim: generic_graph(
            TensorType("float64", (None,) * n), numpy.ones((2,) * n))
    made["contiguous arrays"] = lambda: generic_graph(
        TensorType("int32", (None, 3), contiguous=True),
        numpy.ones((2, 3), "int32"))
    made["objects"] = lambda: generic_graph(generic, [1, [2.5]])
    made["capsules"] = lambda: generic_graph(CDataType("void *"), capsule())
    made["constants"] = constants_graph
    made["params"] = params_graph
    made["authors' Ops"] = author_graph
    return made


GRAPHS = graphs()


def text_of(value):
    return repr(value) if type(value).__name__ != "PyCapsule" else "capsule"


class Watch:
    """Counts of references to all that a call touches, and of all blocks that
    Python has allocated."""

    def __init__(self, *things):
        self.things = [t for t in things if t is not None]

    def counts(self):
        return [sys.getrefcount(t) for t in self.things]

    def check(self, run, what):
        """That `run` leaves all counts alone. Other code keeps a few objects
        (free floats, specialized bytecode); one that is lost in each run shows
        in each round, however many runs there are."""
        for times in (5, 50, 500):
            counts = self.counts()
            others = sys.getallocatedblocks(), sys.getrefcount(None)
            for _ in range(times):
                run()
            grown = [sys.getallocatedblocks() - others[0],
                     sys.getrefcount(None) - others[1]]
            assert self.counts() == counts, what
            if max(grown) < times:
                return
        assert not grown, (what, grown)


def expect_failure(run, number, site):
    """Runs with that site failing; False when it is not part of this run."""
    try:
        with failing(number):
            run()
    except ArithmeticError as error:
        assert str(error) == f"site {number}"
        (note, *_) = error.__notes__
        # The default c_extract_out is the author's c_extract.
        assert note.splitlines()[0].replace("c_extract_out", "c_extract") == (
            f"Clinch: block {site.number}, {site.subject}".replace(
                "c_extract_out", "c_extract"))
        return True
    return False


@pytest.fixture
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def cells_of(thunk, made):
    return [thunk.cells[place][0] for place in made.outputs]


@pytest.mark.parametrize("form", ["function", "struct"])
@pytest.mark.parametrize("name", GRAPHS)
def test_every_label(name, form, no_collector):
    inputs, outputs, values = GRAPHS[name]()
    if not outputs:  # No Op of that arity takes this Type.
        return
    made = Injected(inputs, outputs, form=form, tier="fast")
    thunk = made.instantiate()
    made.fill(thunk, values)
    thunk()
    texts = list(map(text_of, cells_of(thunk, made)))
    for number, site in enumerate(made.sites, 1):
        run = thunk
        if not expect_failure(thunk, number, site):
            # A block of the struct's `init`, then.
            run = made.instantiate
            assert form == "struct", site
            assert expect_failure(run, number, site), site
        kept = cells_of(thunk, made)
        Watch(*values, *kept, *thunk.cells).check(
            lambda: expect_failure(run, number, site), site)
        # A caller keeps what it had.
        assert all(a is b for a, b in zip(cells_of(thunk, made), kept)), site
        assert list(map(text_of, kept)) == texts, site
    thunk()
    assert list(map(text_of, cells_of(thunk, made))) == texts


@pytest.mark.parametrize("form", ["function", "struct"])
def test_the_graphs_have_every_op_and_type_that_is_shipped(form):
    sites = set()
    for make in GRAPHS.values():
        inputs, outputs, _ = make()
        if outputs:
            made = Injected(inputs, outputs, form=form, tier="fast")
            sites |= {site.subject.partition(" for ")[0] for site in made.sites}
    names = [*scalar_ops, *casts, "DeepCopyOp", "ViewOp", "Shape", "Shape_i"]
    wanted = {f"`{name}.c_code`" for name in names}
    wanted |= {f"`{name}.c_extract`" for name in (
        "Double", "Scalar", "TensorType", "Generic", "CDataType",
        "ParamsType")}
    assert wanted - sites == set()
