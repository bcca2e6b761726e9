"""Scalar Ops of arrays on a device, in the simulator: the processor's bits."""

import numpy
import pytest

import clinch
import clinch.cuda
from clinch import Mode, TensorType, double, function
from clinch.cuda import GpuArrayType, GpuElemwise
from clinch.ops.scalar_ops import scalar_ops
from clinch.tensor.fusion import fuse
from gpu_ops import SIMULATED, Most, there

#: A device has no such function, no such numbers, or no exceptions.
REFUSED = {"lgamma", "complex", "complex_from_polar"}
#: Of whole numbers an item may raise.
RAISING = {"int_div", "mod", "pow"}


def here(dtype, ndim):
    return TensorType(dtype, (None,) * ndim)()


def given(dtype, count, seed):
    generator = numpy.random.default_rng(seed)
    if numpy.dtype(dtype).kind == "f":
        return numpy.asarray(generator.standard_normal(count) * 3).astype(dtype)
    return generator.integers(1, 9, count).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_every_scalar_op(dtype):
    """All of one arity in one graph, as compiling one by one takes long."""
    for arity in (1, 2, 3):
        ops = []
        for name, op in scalar_ops.items():
            if op.arity == arity and name not in REFUSED and (
                    name not in RAISING or dtype != "int32"):
                try:
                    made = op(*(here(dtype, 1) for _ in range(arity)))
                except TypeError:
                    continue
                if not made.type.dtype.startswith("complex"):
                    ops.append(op)
        values = [given(dtype, 100, seed) for seed in range(arity)]
        found = []
        for kind in (there, here):
            variables = [kind(dtype, 1) for _ in range(arity)]
            f = function(variables, [op(*variables) for op in ops], mode=SIMULATED)
            found.append(f(*values))
        assert len(ops) > {1: 20, 2: 15, 3: 1}[arity]
        for op, one, other in zip(ops, *found):
            assert one.dtype == other.dtype, op
            assert numpy.array_equal(one, other, equal_nan=one.dtype.kind == "f"), op


@pytest.mark.parametrize("shapes", [
    ((2, 3), (3,)), ((2, 1), (1, 3)), ((0, 3), (3,)), ((), (4,)), ((1, 1), (1,)),
    ((5,), (2, 1, 5))])
def test_broadcasting(shapes):
    values = [numpy.asarray(given("f", shape, 1)) for shape in shapes]
    x, y = (there("float32", len(shape)) for shape in shapes)
    found = function([x, y], x - y, mode=SIMULATED)(*values)
    wanted = values[0] - values[1]
    assert found.shape == wanted.shape and found.tolist() == wanted.tolist()


def test_strides():
    x = given("d", (6, 8), 1)
    v, w = there("float64", 2), there("float64", 2)
    f = function([v, w], v * w, mode=SIMULATED)
    for one, other in ((x.T, x.T), (x[::2, ::-1], x[:3]), (x[:, :1], x), (x, x[:1])):
        assert f(one, other).tolist() == (one * other).tolist()


def test_more_items_than_threads():
    x = there("int8", 1)
    many = numpy.arange(65536 * 256 + 7).astype("i1")
    assert numpy.array_equal(function([x], x + x, mode=SIMULATED)(many), many + many)


def test_numbers():
    x, a = there("float32", 1), double("a")
    values = given("f", 5, 1)
    f = function([x, a], [2 * x, x + numpy.float64(0.1), x * a, x ** 2 + 1],
                 mode=SIMULATED)
    found = f(values, 1 / 3)
    wanted = [2 * values, values + numpy.full(5, 0.1), values * numpy.full(5, 1 / 3),
              values * values + 1]
    assert [one.dtype.name for one in found] == ["float32", "float64", "float64", "float32"]
    assert [one.tolist() for one in found] == [one.tolist() for one in wanted]


def test_operations_are_not_contracted():
    """An author's expression is rounded as on the processor."""
    values = given("f", 1000, 1), given("f", 1000, 2), given("f", 1000, 3)
    found = []
    for kind in (there, here):
        x, y, z = (kind("float32", 1) for _ in range(3))
        found.append(function([x, y, z], [x * y + z, clinch.sqrt(x * x + y * y)],
                              mode=SIMULATED)(*values))
    for one, other in zip(*found):
        assert one.tobytes() == other.tobytes()


def rewritten(inputs, outputs):
    """What fusion makes of it, and the inputs of its kernels."""
    made = fuse(inputs, outputs)
    return made, [v.owner and v.owner.inputs for v in made]


def test_a_chain_is_one_kernel():
    """With the bits of many; one result that is read twice in it is computed once."""
    x, y, a = there("float32", 2), there("float32", 2), double("a")
    t = clinch.exp(x) - 2 * y
    made = t * t + clinch.tanh(t) * a
    (out,), (given_to,) = rewritten([x, y, a], [made])
    assert given_to == [x, y, a] and isinstance(out.owner.op, GpuElemwise)
    assert len(out.owner.op.scalar_op.nodes) == 7 and out.type == made.type
    values = given("f", (5, 7), 1), given("f", (5, 1), 2), 1 / 3
    fused, apart = (function([x, y, a], made, mode=Mode(simulate=True, fuse=fuses))(*values)
                    for fuses in (True, False))
    assert fused.tobytes() == apart.tobytes() and fused.shape == (5, 7)


def test_what_is_no_part_of_a_kernel():
    """A result, what a smaller array makes, and what may fail."""
    x, y, i = there("float32", 1), there("float32", 2), there("int32", 1)
    t = clinch.exp(x)
    for inputs, outputs in (([x], [t, t + 1]), ([x], [t.sum(), t + 1]),
                            ([x, y], [t - y])):
        made, _ = rewritten(inputs, outputs)
        assert t.owner.op in [v.owner.op for out in made
                              for v in (out, *out.owner.inputs) if v.owner]
    made, _ = rewritten([i], [i // i + 1])
    assert str(made[0].owner.inputs[0].owner.op) == "GpuElemwise(int_div)"
    many = [there("float32", 1) for _ in range(20)]
    whole = sum(many[1:], many[0])
    values = [given("f", 4, seed) for seed in range(20)]
    found = function(many, whole, mode=SIMULATED)(*values)
    assert found.tobytes() == sum(values[1:], values[0]).tobytes()


def test_an_authors_op():
    x, y = there("float32", 1), there("float32", 1)
    f = function([x, y], GpuElemwise(Most())(x, y), mode=SIMULATED)
    one, other = given("f", 9, 1), given("f", 9, 2)
    assert f(one, other).tolist() == numpy.maximum(one, other).tolist()


class Shifted(clinch.COp):
    """Reads the item after each, past the end."""

    __props__ = ("by",)

    def __init__(self, by):
        self.by = by

    def make_node(self, x):
        return clinch.Apply(self, [x], [x.type()])

    def c_compiler(self):
        return "cuda"

    def c_support_code(self, **kwargs):
        return """__global__ void shifted(const float *x, float *y, int by) {
  y[threadIdx.x] = x[threadIdx.x + by];
}"""

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (y,) = inputs, outputs
        return f"""
        if (clinch_gpu_prepare(&{y}, {x}.shape)) {{ {sub['fail']} }}
        shifted<<<1, {x}.shape[0]>>>((float *){x}.data, (float *){y}.data, {self.by});
        """

    def c_code_cache_version(self):
        return (1,)


def test_checks_know_the_arrays():
    """Of views of one array, each that a kernel may use."""
    checked, values = Mode(check=True), given("f", 12, 1)
    x, y = there("float32", 1), there("float32", 1)
    f = function([x, y], x * y - 1, mode=checked)
    for one, other in ((values, values), (values[3:9], values[:6]),
                       (values[::-2], values[1::2])):
        assert f(one, other).tolist() == (one * other - 1).tolist()
    assert function([x], Shifted(0)(x), mode=checked)(values).tolist() == values.tolist()
    with pytest.raises(clinch.RuleError, match="reads 4 bytes at offset 48 of an array, "
                                               "which has 48"):
        function([x], Shifted(1)(x), mode=checked)(values)


def test_there_and_back():
    v = here("float64", 1)
    f = function([v], clinch.exp(v.transfer("simulated cuda")).transfer("cpu"),
                 mode=SIMULATED)
    x = given("d", 7, 1)
    assert f(x).tobytes() == function([v], clinch.exp(v))(x).tobytes()


def test_lengths_that_do_not_fit():
    x, y = there("float32", 2), there("float32", 1)
    with pytest.raises(ValueError, match="arrays of lengths 3 and 4 cannot be broadcast in "
                                         "dimension 1"):
        function([x, y], x + y, mode=SIMULATED)(numpy.ones((2, 3), "f"),
                                                numpy.ones(4, "f"))


@pytest.mark.parametrize("make, said", [
    (lambda x: x + here("float32", 1), r"`transfer\(\"cuda\"\)` moves an array"),
    (lambda x: x + GpuArrayType("float32", 1)(), "which are not in one place"),
    (lambda x: scalar_ops["add"](x, 1j), "no complex numbers on a device"),
    (lambda x: GpuElemwise(scalar_ops["add"])(double("a"), double("b")),
     "needs an array on a device"),
    (lambda x: GpuElemwise(3), "takes a scalar Op, not 3"),
    (lambda x: x + numpy.datetime64(1, "s"), "datetime64")])
def test_what_is_refused(make, said):
    with pytest.raises(TypeError, match=said):
        make(there("float32", 1))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rests_of_divisions(dtype):
    """With Python's signs, and the processor's bits, also where dividing overflows."""
    each = numpy.array([0.0, -0.0, 1, -1, 3, 0.1, -0.1, numpy.inf, -numpy.inf, numpy.nan,
                        *(getattr(numpy.finfo(dtype), name)
                          for name in ("max", "tiny", "smallest_subnormal"))], dtype)
    x, y = (one.ravel() for one in numpy.meshgrid(each, each))
    found = []
    for kind in (there, here):
        v, w = kind(dtype, 1), kind(dtype, 1)
        found.append(function([v, w], [v // w, v % w, v % 0.7 - w], mode=SIMULATED)(x, y))
    for one, other in zip(*found):
        assert (numpy.signbit(one) == numpy.signbit(other))[~numpy.isnan(other)].all()
        assert numpy.array_equal(one, other, equal_nan=True)


def test_functions_that_a_device_lacks():
    x = there("float32", 1)
    with pytest.raises(clinch.CompileError, match="lgamma"):
        function([x], scalar_ops["lgamma"](x), mode=SIMULATED)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
def test_whole_numbers_by_a_number(dtype):
    """NumPy's signs; the host raises what an item would, if there is one."""
    i, n = there(dtype, 1), clinch.types.scalars.scalars[dtype]("n")
    values = numpy.arange(-9, 10).astype(dtype)
    found = function([i, n], [i // n, i % n, i ** 3,
                              (i + 1) // 7 * 2], mode=SIMULATED)
    for by in (3, 7) if dtype == "uint16" else (3, -4, -1):
        number = numpy.dtype(dtype).type(by)
        one = numpy.dtype(dtype).type(1)
        with numpy.errstate(over="ignore"):
            wanted = [values // number, values % number, values ** 3,
                      (values + one) // 7 * 2]
        for got, want in zip(found(values, by), wanted):
            assert (got.dtype, got.tolist()) == (want.dtype, want.tolist())
    with pytest.raises(ZeroDivisionError, match="integer division or modulo by zero"):
        found(values, 0)
    assert [len(one) for one in found(values[:0], 0)] == [0] * 4


def test_whole_numbers_to_a_negative_power():
    i = there("int32", 1)
    f = function([i], i ** -1, mode=SIMULATED)
    with pytest.raises(ValueError, match="Integers to negative integer powers"):
        f(numpy.ones(2, "i4"))


def test_numbers_of_which_one_may_fail():
    x = there("int32", 1)
    with pytest.raises(TypeError, match="int_div of int32, int32 may fail for an "
                                        "item, of which a device cannot tell"):
        function([x], x // x, mode=SIMULATED)
