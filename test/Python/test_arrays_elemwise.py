"""Scalar Ops over arrays, against NumPy."""

import random

import numpy
import pytest

import clinch
from clinch import Apply, COp, Mode, Scalar, TensorType, double, function
from clinch.testing import TextOp
from clinch.tensor import Elemwise
from arrays import array, check, over, variable
from clinch.ops.scalar_ops import scalar_ops

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
          "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128"]


# Where NumPy turns whole numbers into floats.
OTHER = {"floor", "ceil", "trunc", "round", "identity", "switch", "clip",
         "sign", "angle", "real", "imag", "conj"}


@pytest.mark.parametrize("name", sorted(
    n for n, op in scalar_ops.items() if op._numpy_name and n not in OTHER))
def test_every_op_on_every_dtype_is_numpys(name):
    op = scalar_ops[name]
    function_of_numpy = getattr(numpy, op._numpy_name)
    inputs, outputs, values, wanted = [], [], [], []
    for dtype in DTYPES:
        given = [array((3, 4), dtype, seed) for seed in range(op.arity)]
        variables = list(map(variable, given))
        try:
            output = Elemwise(op)(*variables)
        except (TypeError, clinch.GraphError):
            continue
        want = function_of_numpy(*given)
        inputs += variables
        values += given
        outputs.append(output)
        wanted.append(want)
    assert outputs
    for got, want in zip(function(inputs, outputs)(*values), wanted):
        check(got, want)


@pytest.mark.parametrize("name", ["arctan2", "hypot", "copysign"])
def test_whole_numbers_become_floats_each_by_itself(name):
    """Found by the random search: int8 and uint16 are int32 together, but
    NumPy has float32 for both."""
    whole = [d for d in DTYPES if numpy.dtype(d).kind in "iu"]
    for a in whole:
        for b in whole:
            want = getattr(numpy, name)(array(1, a), array(1, b)).dtype
            made = getattr(clinch.tensor, name)(variable(array(1, a)),
                                         variable(array(1, b)))
            assert made.type.dtype == want, (a, b)


SHAPES = [((3, 4), (3, 4)), ((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3, 4)),
          ((2, 1, 5), (3, 1)), ((0, 3), (1, 3)), ((1,), (0,)), ((1, 1), (2, 2)),
          ((700,), (700,)), ((3, 300), (300,)), ((300, 3), (300, 1)),
          ((2, 3, 4, 5), (4, 1)), ((1, 7, 1, 3), (5, 1, 2, 1))]


@pytest.mark.parametrize("a, b", SHAPES, ids=str)
def test_broadcasting(a, b):
    x, y = array(a, seed=1), array(b, seed=2)
    check(over(clinch.sub, x, y), x - y)
    check(over(clinch.sub, y, x), y - x)


def strided(shape, generator):
    """An array of this shape that lies in memory as it happens."""
    axes = list(range(len(shape)))
    generator.shuffle(axes)
    steps = [generator.choice([1, 1, 2, 3]) for _ in shape]
    made = array([shape[k] * steps[k] for k in axes],
                 seed=generator.randrange(99)).transpose(numpy.argsort(axes))
    made = made[tuple(slice(None, None, s) for s in steps)]
    return made[tuple(slice(None, None, generator.choice([1, 1, -1]))
                      for _ in shape)]


@pytest.mark.parametrize("seed", range(40))
def test_any_strides(seed):
    generator = random.Random(seed)
    shape = [generator.choice([1, 2, 3, 5, 40, 150])
             for _ in range(generator.randrange(4))]
    x, y = strided(shape, generator), strided(shape, generator)
    assert x.shape == y.shape == tuple(shape)
    result = over(clinch.sub, x, y)
    check(result, x - y)
    check(over(clinch.exp, x), numpy.exp(x))


@pytest.mark.parametrize("order", ["C", "F"])
def test_the_result_lies_as_numpys_does(order):
    x = numpy.asarray(array((4, 5, 6)), order=order)
    for value in (x, x.transpose(1, 2, 0), x[:, 0]):
        assert over(clinch.tensor.neg, value).strides == (-value).strides


def test_unaligned_items():
    raw = numpy.zeros(8 * 10 + 1, "uint8")
    x = raw[1:].view("float64")
    x[:] = range(10)
    v = TensorType("float64", (None,), aligned=False)("v")
    check(function([v], v + 1)(x), x + 1)


def test_a_mismatch_says_what_numpy_says():
    x, y = array((2, 3)), array((2,))
    with pytest.raises(ValueError) as theirs:
        x + y
    with pytest.raises(ValueError) as ours:
        over(clinch.add, x, y)
    assert str(ours.value) == str(theirs.value)


def test_a_mismatch_that_is_known_early():
    a = TensorType("float64", (2, 3))()
    b = TensorType("float64", (None, 4))()
    with pytest.raises(ValueError, match=r"could not be broadcast together "
                                         r"with shapes \(2,3\) \(\?,4\) "):
        a + b


def test_dtypes_of_pythons_numbers_are_numpy_2s():
    def dtype(name, value):
        return (TensorType(name, (None,))() + value).type.dtype

    assert dtype("int8", 1) == "int8"
    assert dtype("uint8", 1.5) == "float64"
    assert dtype("float32", 1.5) == "float32"
    assert dtype("float32", 3) == "float32"
    assert dtype("float32", 1j) == "complex64"
    assert dtype("bool", 1) == "int64"
    assert dtype("float32", numpy.float64(1)) == "float64"
    with pytest.raises(OverflowError, match="Python integer 300 out of bounds "
                                            "for int8"):
        TensorType("int8", (None,))() + 300
    v = TensorType("int8", (None,))()
    check(function([v], v < 300)(array(3, "int8")), [True] * 3)
    check(function([v], v > -300)(array(3, "int8")), [True] * 3)


def test_numbers_in_c_meet_arrays():
    x, d, i = variable(array(3)), double("d"), Scalar("int8")("i")
    f = function([x, d, i], (x + d) * i)
    check(f([1., 2., 3.], 0.5, numpy.int8(2)), numpy.array([3., 5., 7.]))
    assert function([d], Elemwise(clinch.tensor.neg)(d))(2.0) == -2.0


def test_arrays_of_numpys_meet_variables():
    x = variable(array(3))
    for made in (numpy.arange(3) + x, x + numpy.arange(3)):
        check(function([x], made)([1., 1., 1.]), numpy.arange(3) + 1.0)


def test_a_failure_names_the_op_and_the_index():
    x, y = array((3, 4), "int64"), array((3, 4), "int64")
    y[1, 2] = 0
    for a, b in ((x, y), (x.copy("F"), y), (x, y.copy("F"))):
        with pytest.raises(ZeroDivisionError) as raised:
            over(clinch.int_div, a, b)
        assert raised.value.__notes__[0] == \
            "Clinch: `int_div` failed at index (1, 2)."
    with pytest.raises(ZeroDivisionError) as raised:
        over(clinch.tensor.mod, numpy.int64(3) + array((), "int64"),
             numpy.zeros((), "int64"))
    assert raised.value.__notes__[0] == "Clinch: `mod` failed at index ()."
    y = numpy.ones(5000, "int64")
    y[4321] = 0
    with pytest.raises(ZeroDivisionError) as raised:
        over(clinch.int_div, y, y)
    assert "(4321,)" in raised.value.__notes__[0]


def in_place():
    return Elemwise(clinch.add, inplace={0: 0})


def test_in_place():
    x, y = array((3, 4)), array(4)
    want = x + y
    a, b = variable(x), variable(y)
    for place in (a, clinch.view_op(a)):
        given = x.copy("F")
        f = function([clinch.In(a, mutable=True), b], in_place()(place, b))
        assert f(given, y) is given
        check(given, want)
    given = x.copy()
    given.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function([clinch.In(a, mutable=True), b], in_place()(a, b))(given, y)


def test_in_place_of_an_intermediate_result():
    x = array((30, 40))
    v = variable(x)
    f = function([v], in_place()(clinch.exp(v), v), mode=Mode(fuse=False))
    check(f(x), numpy.exp(x) + x)
    check(f(x[:, ::-2]), numpy.exp(x[:, ::-2]) + x[:, ::-2])


def test_in_place_where_memory_overlaps():
    x = numpy.arange(10.0)
    v = variable(x)
    shifted = v[1:], v[:-1]
    f = function([clinch.In(v)], in_place()(*shifted), mode=Mode(fuse=False))
    check(f(x.copy()), x[1:] + x[:-1])


def test_in_place_where_it_cannot_be():
    a, b = variable(array((1, 4))), variable(array((3, 4)))
    f = function([a, b], in_place()(clinch.exp(a), b), mode=Mode(fuse=False))
    with pytest.raises(ValueError, match=r"non-broadcastable output operand "
                       r"with shape \(1,4\) doesn't match the broadcast shape "
                       r"\(3,4\)"):
        f(array((1, 4)), array((3, 4)))
    with pytest.raises(TypeError, match="cannot make output 0"):
        in_place()(variable(array(3, "int8")), variable(array(3)))


def test_storage_is_used_again_only_when_nobody_has_it():
    v = variable(array(3))
    f = function([v], v + 1)
    first = f(array(3))
    again = f(first)
    check(again, first + 1)
    assert again is not first


def test_two_to_the_31_items():
    x = numpy.broadcast_to(numpy.int8(3), (2, 2**30 + 5))
    result = over(Elemwise(clinch.tensor.lt), x, numpy.array(4, "int8"))
    assert result.shape == x.shape and result.all()


def test_threads():
    x = array((200, 1000))
    a = variable(x)
    f = function([a], Elemwise(clinch.exp, threads=2)(a))
    check(f(x), numpy.exp(x))
    i = variable(array(3, "int64"))
    g = function([i, i.clone()][:1], Elemwise(clinch.int_div, threads=2)(i, i))
    with pytest.raises(ZeroDivisionError):
        g(numpy.zeros(100000, "int64"))
    with pytest.raises(ValueError, match='threads is 1 or more, or "auto", not 0'):
        Elemwise(clinch.exp, threads=0)
    with pytest.raises(ValueError, match='threads is 1 or more, or "auto", not \'all\''):
        Elemwise(clinch.exp, threads="all")


@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("shape", [(31, 300), (32, 128), (33, 129), (97, 611), (3, 70, 140)])
def test_operands_that_lie_across_the_rows(dtype, shape):
    x = array(shape, dtype)
    y = array(shape[::-1], dtype, 1).T
    assert not y.flags.c_contiguous
    column = array((shape[-2], 1), dtype, 2)
    a, b, c = map(variable, (x, y, column))
    results = function([a, b, c], [a + b, a - b * c, b + b - a])(
        x, y, column)
    for got, want in zip(results, (x + y, x - y * column, y + y - x)):
        check(got, want)


def test_the_first_item_that_fails_is_named_also_across_the_rows():
    x, y = numpy.ones((64, 300), "int64"), numpy.ones((300, 64), "int64").T
    y[40, 7] = y[3, 200] = 0
    with pytest.raises(ZeroDivisionError) as info:
        over(clinch.int_div, x, y)
    assert any("at index (3, 200)" in note for note in info.value.__notes__)


@pytest.mark.parametrize("threads", [2, "auto"])
@pytest.mark.parametrize("shape", [(3,), (32767,), (32768,), (7, 50001), (400_000,)])
def test_any_number_of_threads_gives_the_same_bits(shape, threads):
    x = array(shape)
    a = variable(x)
    alone = function([a], Elemwise(clinch.tanh)(a))
    several = function([a], Elemwise(clinch.tanh, threads=threads)(a))
    for given in (x, x[..., ::-1], x.T):
        assert (several(given) == alone(given)).all()


def test_perform_is_the_same():
    x, y = array((3, 4), "int32", 1), array(4, "int32", 2)
    a, b = variable(x), variable(y)
    for op in ("add", "true_div", "int_div", "eq", "erf", "hypot"):
        made = scalar_ops[op](*(a, b)[:scalar_ops[op].arity])
        f = function([a, b], made, mode="DebugMode")
        g = function([a, b], made)
        check(f(x, y), g(x, y))


def test_pickling_and_equality():
    import pickle
    op = Elemwise(clinch.exp, threads=2)
    assert pickle.loads(pickle.dumps(op)) == op != Elemwise(clinch.exp)
    auto = Elemwise(clinch.exp, threads="auto")
    assert pickle.loads(pickle.dumps(auto)) == auto != op
    assert Elemwise(clinch.add) == Elemwise(clinch.add)
    assert str(in_place()) == "Elemwise{add, 0 in place of 0}"


def test_what_is_no_scalar_op():
    with pytest.raises(TypeError, match="Elemwise takes a scalar Op, not 3"):
        Elemwise(3)
    with pytest.raises(TypeError, match="is no scalar Op: it gives"):
        class Arrays(COp):
            def make_node(self, x):
                return Apply(self, [x], [TensorType("float64", (None,))()])
        Elemwise(Arrays())(variable(array(3)))
    with pytest.raises(TypeError, match="takes 62 inputs at most"):
        Elemwise(clinch.add)(*[variable(array(3))] * 63)


def test_a_scalar_op_says_what_arrays_need():
    with pytest.raises(clinch.GraphError, match=r"`neg` takes scalars, not a "
                       r"`TensorType`; over arrays it is `Elemwise\(neg\)`"):
        clinch.tensor.neg.make_node(variable(array(3)))


def test_an_op_without_perform_in_debug_mode():
    """What Python cannot compute is compared with nothing, and still checked.
    """
    squared = TextOp("{z} = {x} * {x};", name="squared")

    x = array((3, 4))
    a = variable(x)
    f = function([a], Elemwise(squared)(a) + 1, mode="DebugMode")
    check(f(x), x * x + 1)
    node = Elemwise(squared).make_node(a)
    with pytest.raises(NotImplementedError, match="squared has no perform: "
                                                  "Python cannot compute it"):
        node.op.perform(node, [x], [[None]])
