"""Reductions of arrays on a device, in the simulator."""

import numpy
import pytest

import clinch
import clinch.cuda
from clinch import Mode, TensorType, function
from clinch.cuda import GpuElemwise, GpuReduce
from clinch.ops.scalar_ops import scalar_ops
from clinch.tensor.fusion import fuse
from gpu_ops import SIMULATED, Most, there

NAMES = ("sum", "prod", "mean", "max", "min", "any", "all")


def whole(shape, dtype="f"):
    """Numbers whose sums are exact in any order."""
    return numpy.random.default_rng(1).integers(-9, 9, shape).astype(dtype)


def few(shape, dtype):
    """Numbers whose sums and products are exact."""
    return numpy.random.default_rng(1).choice([-1, 1, 2], shape, p=[0.5, 0.48, 0.02]).astype(
        dtype)


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_every_reduction(dtype):
    """NumPy's results and dtypes, also of strides and of lengths beside powers of 2."""
    x = there(dtype, 3)
    asked = [(name, axis, axis == 1) for name in NAMES for axis in (None, 1, (0, -1))]
    f = function([x], [getattr(x, name)(axis=axis, keepdims=keeps)
                       for name, axis, keeps in asked], mode=SIMULATED)
    many = few((4, 70, 9), dtype)
    for given in (few((3, 1, 1), dtype), many, many.T, many[::-2, 1::3, ::-1]):
        for (name, axis, keeps), found in zip(asked, f(given)):
            wanted = getattr(given, name)(axis=axis, keepdims=keeps)
            assert (found.dtype, found.shape, found.tolist()) == (
                wanted.dtype, wanted.shape, wanted.tolist()), (name, axis, given.shape)


def in_order(items, most):
    """Adds up as the guide says."""
    lanes = 1
    while lanes < min(most, len(items)):
        lanes *= 2
    chunks = []
    for begin in range(0, len(items), 64 * lanes):
        chunk = items[begin:begin + 64 * lanes]
        sums = []
        for lane in range(min(lanes, len(chunk))):
            total = chunk[lane]
            for item in chunk[lane + lanes::lanes]:
                total = total + item
            sums.append(total)
        half = lanes // 2
        while half:
            sums = [one + sums[k + half] if k + half < len(sums) else one
                    for k, one in enumerate(sums[:half])]
            half //= 2
        chunks.append(sums[0])
    if len(chunks) == 1:
        return chunks[0]
    assert len(chunks) <= 64 * 256
    return in_order(chunks, 256)


@pytest.mark.parametrize("shape", [(1,), (5,), (1000,), (16384,), (16385,), (100003,)])
def test_the_order_is_that_of_the_guide(shape):
    x = there("float32", 1)
    given = numpy.random.default_rng(2).standard_normal(shape).astype("f")
    f = function([x], x.sum(), mode=SIMULATED)
    wanted = in_order(list(given), 256)
    assert f(given) == wanted and f(given[::-1].copy()[::-1]) == wanted


def test_the_order_of_columns_is_that_of_the_guide():
    x = there("float32", 2)
    given = numpy.random.default_rng(3).standard_normal((1300, 40)).astype("f")
    f = function([x], x.sum(axis=0), mode=SIMULATED)
    wanted = [in_order(list(column), 8) for column in given.T]
    assert f(given).tolist() == wanted and f(given.copy("F")).tolist() == wanted


@pytest.mark.parametrize("name, axis", [
    ("sum", None), ("mean", 1), ("max", (0, 2)), ("any", -1), ("prod", (1, 2))])
def test_a_chain_before_it_is_in_its_kernel(name, axis):
    """With the bits of two kernels, of arrays that are broadcast and lie anyhow."""
    x, y, a = there("float32", 3), there("float32", 3), clinch.double("a")
    made = getattr(clinch.exp(x) - y * a, name)(axis=axis)
    (out,) = fuse([x, y, a], [made])
    assert out.owner.inputs == [x, y, a] and len(out.owner.op.before.nodes) == 3
    fused, apart = (function([x, y, a], made, mode=Mode(simulate=True, fuse=fuses))
                    for fuses in (True, False))
    given = numpy.random.default_rng(5).standard_normal((5, 70, 9)).astype("f")
    for one, other in ((given, given), (given.T, given.T[:, :1]), (given[:, ::-2], given[:1, :35]),
                       (given[:0], given[:1])):
        if one.size or name != "max":
            assert fused(one, other, 0.3).tobytes() == apart(one, other, 0.3).tobytes()
    with pytest.raises(ValueError, match="arrays of lengths 5 and 4 cannot be broadcast"):
        fused(given, given[:4], 0.3)


def test_what_is_not_in_its_kernel():
    """What is read elsewhere, what may fail, what has fewer dimensions."""
    x, y, i = there("float32", 1), there("float32", 2), there("int32", 1)
    t = clinch.exp(x)
    for inputs, outputs in (([x], [t.sum(), t]), ([x], [t.sum(), t.max()]), ([i], [(i // 2).sum()]),
                            ([x, y], [(y - t).sum()])):
        assert any(isinstance(v.owner and v.owner.op, GpuElemwise)
                   for v in fuse(inputs, outputs)[0].owner.inputs)


def test_nothing_to_reduce():
    x = there("float32", 2)
    names = ("sum", "prod", "mean", "any", "all")
    f = function([x], [getattr(x, name)(axis=0) for name in names], mode=SIMULATED)
    found = dict(zip(names, f(numpy.ones((0, 2), "f"))))
    assert (found["sum"].tolist(), found["prod"].tolist()) == ([0, 0], [1, 1])
    assert (found["any"].tolist(), found["all"].tolist()) == ([False] * 2, [True] * 2)
    assert numpy.isnan(found["mean"]).all()
    for name, said in (("max", "maximum"), ("min", "minimum")):
        f = function([x], getattr(x, name)(axis=0), mode=SIMULATED)
        assert f(numpy.ones((0, 0), "f")).shape == (0,)
        with pytest.raises(ValueError) as caught:
            f(numpy.ones((0, 2), "f"))
        assert str(caught.value).splitlines()[0] == (
            f"zero-size array to reduction operation {said} which has no identity")


def test_no_number_is_seen():
    x = there("float32", 1)
    given = whole(20000)
    given[17000] = numpy.nan
    found = function([x], [x.max(), x.min(), x.sum()], mode=SIMULATED)(given)
    assert numpy.isnan(found).all()


def test_numpys_functions_and_results_that_come_back():
    v = TensorType("float32", (None, None))("v")
    x = v.transfer("simulated cuda")
    f = function([v], [numpy.sum(x).transfer("cpu"), numpy.max(x, axis=0).transfer("cpu"),
                       clinch.tensor.mean(x * x, axis=1).transfer("cpu"),
                       numpy.add.reduce(x).transfer("cpu")], mode=SIMULATED)
    given = whole((8, 4))
    wanted = [given.sum(), given.max(0), (given * given).mean(1), given.sum(0)]
    assert [one.tolist() for one in f(given)] == [one.tolist() for one in wanted]


def test_checks_find_nothing():
    """Neither races between steps nor memory that is not theirs."""
    x = there("float32", 2)
    f = function([x], [x.sum(), x.max(axis=0), x.sum(axis=1)], mode=Mode(check=True))
    for shape in ((3, 5), (70, 300)):
        given = whole(shape)
        assert [one.tolist() for one in f(given)] == [
            given.sum(), given.max(0).tolist(), given.sum(1).tolist()]


def test_an_authors_op():
    x = there("float32", 2)
    given = whole((40, 3))
    f = function([x], GpuReduce(Most(), (0,), "float32")(x), mode=SIMULATED)
    assert f(given).tolist() == given.max(0).tolist()
    with pytest.raises(ValueError, match="zero-size array to reduction operation Most"):
        f(given[:0])
    fused = function([x], GpuReduce(Most(), (0,), "float32")(GpuElemwise(Most())(x, -x)),
                     mode=SIMULATED)
    assert fused(given).tolist() == abs(given).max(0).tolist()


@pytest.mark.parametrize("make, error, said", [
    (lambda x: x.sum(axis=2), ValueError, "axis 2 is out of bounds for array of dimension 2"),
    (lambda x: x.sum(axis=(0, 0)), ValueError, "duplicate value in 'axis'"),
    (lambda x: x.sum(dtype="complex64"), TypeError, "no complex numbers on a device"),
    (lambda x: x.var(), AttributeError, "is not an array: it has no `var`"),
    (lambda x: GpuReduce(scalar_ops["add"], (0,), "float32")(3), TypeError,
     "GpuReduce{add, 0} needs an array on a device, not 3"),
    (lambda x: GpuReduce(scalar_ops["add"], (2,), "float32")(x), ValueError,
     "which has no such axis"),
    (lambda x: GpuReduce(scalar_ops["lt"], (0,), "float32")(x), TypeError,
     "lt of two float32 gives bool, and cannot be reduced with")])
def test_what_is_refused(make, error, said):
    with pytest.raises(error) as caught:
        make(there("float32", 2))
    assert said in str(caught.value)


def test_an_op_that_may_fail():
    x = there("int32", 1)
    with pytest.raises(TypeError, match="int_div of two int32 may fail for an item"):
        function([x], GpuReduce(scalar_ops["int_div"], (0,), "int32")(x), mode=SIMULATED)
