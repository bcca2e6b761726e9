"""Every scalar Op on every dtype, against NumPy or Python."""

import itertools
import math

import numpy
import pytest

from clinch import DebugMode, Scalar, double, function
from clinch.ops.scalar_ops import scalar_ops
from thunks import Raw

pytestmark = pytest.mark.filterwarnings("ignore")

REALS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
         "uint32", "uint64", "float16", "float32", "float64"]
DTYPES = [*REALS, "complex64", "complex128"]

# What NumPy has under no name of its own, on numbers of the computed dtype.
OWN = {
    "reciprocal": lambda x: numpy.reciprocal(x) if numpy.iscomplexobj(x)
    else numpy.true_divide(1, x),
    "second": lambda x, y: y,
    "complex": lambda x, y: complex(x, y),
    "complex_from_polar": lambda r, t: complex(r * math.cos(t),
                                               r * math.sin(t)),
    "erf": math.erf, "erfc": math.erfc,
    "gamma": lambda x: math.gamma(x), "lgamma": lambda x: math.lgamma(x),
    "round_half_away": lambda x: math.copysign(math.floor(abs(x) + 0.5), x)
    if math.isfinite(x) and abs(x) < 2**52 else x,
    "clip": lambda x, low, high: numpy.minimum(numpy.maximum(x, low), high),
}


# NumPy makes floats of these before it rounds; a whole number is whole.
WHOLE = ("floor", "ceil", "trunc", "round", "round_half_away")
# Whose inputs are not converted to the dtype of the output first.
AS_THEY_ARE = ("abs", "real", "imag", "angle", "lshift", "rshift", "complex",
               "complex_from_polar")


def samples(dtype):
    kind = numpy.dtype(dtype)
    if kind.kind == "b":
        return [kind.type(v) for v in (False, True)]
    if kind.kind in "iu":
        ends = numpy.iinfo(kind)
        some = {ends.min, ends.max, 0, 1, 2, 3, 7, 100, -1, -2, -3, -7}
        return [kind.type(v) for v in sorted(some)
                if ends.min <= v <= ends.max]
    reals = [0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -3.5, 0.3, 7.0, math.inf,
             -math.inf, math.nan]
    if kind.kind == "f":
        return [kind.type(v) for v in reals]
    return [kind.type(complex(a, b))
            for a, b in ((0, 0), (1, 0), (0, 1), (0.5, -2), (-1.5, 0.25),
                         (3, 4), (-2, -3), (2, 0), (3, 0), (-7, 0))]


def outputs_for(variables, arity):
    """(name, output) of each Op of this arity that takes these variables."""
    found = []
    for name, op in scalar_ops.items():
        if op.arity == arity:
            try:
                found.append((name, op(*variables)))
            except Exception as error:
                assert "is not defined for" in str(error), (name, error)
    return found


def reference(name, op, output, values):
    """The value to expect, or the exception."""
    function = OWN.get(name) or getattr(numpy, op._numpy_name)
    dtype = output.type.dtype
    kinds = numpy.dtype(dtype).kind
    if kinds in "iu" and name in ("int_div", "mod"):
        if values[1] == 0:
            return ZeroDivisionError("integer division or modulo by zero")
    if kinds in "iu" and name == "pow" and values[1] < 0:
        return ValueError("Integers to negative integer powers are not "
                          "allowed.")
    with numpy.errstate(all="ignore"):
        computed = numpy.result_type(*values) if kinds == "b" else dtype
        if name == "switch":
            return function(*values).astype(dtype)[()]
        if kinds in "biu" and name in WHOLE:
            return values[0]
        if name == "angle" and not numpy.iscomplexobj(values[0]):
            # NumPy 2 computes that of an int8 in half precision.
            values = [numpy.asarray(values[0]).astype(dtype)[()]]
        if name == "pow" and varies_in_numpy(*values):
            return None
        if kinds in "iufc" and name not in AS_THEY_ARE:
            values = [numpy.asarray(v).astype(computed)[()] for v in values]
        if name in OWN:
            values = [v.item() if name not in ("clip", "reciprocal") else v
                      for v in values]
        try:
            value = function(*values)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        return numpy.asarray(value).astype(dtype)[()]


def varies_in_numpy(base, exponent):
    """Powers that NumPy 2 does not compute as NumPy 1 and C do."""
    if numpy.iscomplexobj(base) or numpy.iscomplexobj(exponent):
        return base == 0  # test_arrays_numbers.py has those.
    return base == -math.inf and exponent == 0.5


def agree(name, result, wanted):
    if wanted is None:
        return True
    assert type(result) is type(wanted), (name, result, wanted)
    if result.dtype.kind in "biu":
        return result == wanted
    if result.dtype.kind == "c" and not numpy.isfinite(wanted):
        # Of these, isclose() takes any with a NaN for any other.
        return (agree(name, result.real, wanted.real)
                and agree(name, result.imag, wanted.imag))
    single = result.dtype.itemsize // (1 + (result.dtype.kind == "c")) <= 4
    close = numpy.isclose(result, wanted, rtol=3e-6 if single else 1e-13,
                          atol=1e-6 if single else 1e-14, equal_nan=True)
    return bool(close)


def check(dtypes, **options):
    variables = [Scalar(d)(f"x{i}") for i, d in enumerate(dtypes)]
    found = outputs_for(variables, len(dtypes))
    assert found
    wrong = []
    guarded = [f for f in found if f[0] in ("int_div", "mod", "pow")]
    plain = [f for f in found if f not in guarded]
    for group in [plain, *([g] for g in guarded)]:
        run = Raw(variables, [output for _, output in group], tier="fast",
                  **options)
        for values in itertools.product(*map(samples, dtypes)):
            wanted = [reference(name, scalar_ops[name], output, values)
                      for name, output in group]
            if isinstance(wanted[0], Exception):
                with pytest.raises(type(wanted[0])) as error:
                    run(*values)
                assert str(error.value) == str(wanted[0])
                continue
            for (name, _), result, want in zip(group, run(*values), wanted):
                if not agree(name, result, want):
                    wrong.append((name, values, result, want))
    assert not wrong


@pytest.mark.parametrize("dtype", DTYPES)
def test_unary(dtype):
    check([dtype])


@pytest.mark.parametrize("dtype", DTYPES)
def test_binary(dtype):
    check([dtype, dtype])


@pytest.mark.parametrize("dtypes", [
    ("int8", "uint8"), ("uint8", "int8"), ("bool", "int16"), ("int64", "uint64"),
    ("float32", "int8"), ("int32", "float32"), ("float64", "float32"),
    ("complex64", "float32"), ("float64", "complex64"), ("uint32", "int32"),
], ids="-".join)
def test_binary_mixed(dtypes):
    check(list(dtypes))


@pytest.mark.parametrize("dtypes", [
    ("float64",), ("complex64",), ("int64", "int64"), ("float32", "uint8"),
    ("complex128", "complex64"), ("float64", "float64", "float64"),
], ids="-".join)
def test_the_same_text_is_cxx(dtypes):
    check(list(dtypes), language="c++")


@pytest.mark.parametrize("dtypes", [
    ("bool", "int8", "int8"), ("float64", "float64", "float64"),
    ("int8", "float32", "int16"), ("uint64", "uint64", "uint64"),
], ids="-".join)
def test_ternary(dtypes):
    check(list(dtypes))


@pytest.mark.parametrize("name", ["true_div", "int_div", "mod", "pow"])
def test_python_floats_as_python_does(name):
    x, y = double("x"), double("y")
    run = Raw([x, y], [scalar_ops[name](x, y)])
    python = {"true_div": lambda a, b: a / b, "int_div": lambda a, b: a // b,
              "mod": lambda a, b: a % b, "pow": lambda a, b: a**b}[name]
    for a in (0.0, 7.5, -7.5, 1e10, -0.1, 3.0):
        for b in (2.0, -2.0, 0.3, -0.3, 1e10):
            try:
                wanted = python(a, b)
            except (ZeroDivisionError, OverflowError):
                continue
            if isinstance(wanted, complex):
                continue
            result, = run(a, b)
            assert type(result) is float
            assert result == wanted, (a, b)
            assert math.copysign(1, result) == math.copysign(1, wanted)


def test_python_integers_as_python_does():
    x, y = Scalar("int64")("x"), Scalar("int64")("y")
    run = Raw([x, y], [x // y, x % y])
    for a, b in itertools.product((-9, -7, -1, 0, 1, 7, 9), (-4, -2, 3, 5)):
        result = run(numpy.int64(a), numpy.int64(b))
        assert result == [a // b, a % b]


def test_a_failing_op_changes_no_output():
    x, y = Scalar("int32")("x"), Scalar("int32")("y")
    run = Raw([x, y], [x + y, x // y])
    kept = run(numpy.int32(9), numpy.int32(2))
    with pytest.raises(ZeroDivisionError):
        run(numpy.int32(9), numpy.int32(0))
    assert [cell[0] for cell in run.cells[2:]] == kept == [11, 4]


def test_every_op_is_tried_on_something():
    tried = set()
    for arity, dtypes in ((1, ["float64"]), (1, ["int8"]),
                          (2, ["float64"] * 2), (2, ["int8"] * 2),
                          (3, ["bool", "int8", "int8"])):
        variables = [Scalar(d)() for d in dtypes]
        tried |= {name for name, _ in outputs_for(variables, arity)}
    assert tried == set(scalar_ops)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "bool", "float32",
                                   "float64", "complex64"])
def test_perform_agrees(dtype):
    """DebugMode runs both, and finds nothing to say."""
    for arity in (1, 2, 3):
        variables = [Scalar(dtype)(f"x{i}") for i in range(arity)]
        values = list(itertools.product(*[samples(dtype)] * arity))[::7]
        for name, output in outputs_for(variables, arity):
            f = function(variables, output, mode=DebugMode(tier="fast"))
            for each in values:
                try:
                    f(*each)
                except (ZeroDivisionError, ValueError):
                    assert name in ("int_div", "mod", "pow")


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "bool"])
@pytest.mark.parametrize("name", ["int_div", "mod"])
def test_perform_refuses_zero_as_c_does(name, dtype):
    x, y = Scalar(dtype)("x"), Scalar(dtype)("y")
    node = scalar_ops[name](x, y).owner
    zero = numpy.dtype(dtype).type(0)
    with pytest.raises(ZeroDivisionError, match="^integer division or modulo by zero$"):
        node.op.perform(node, [zero, zero], [[None]])


def test_perform_keeps_python_floats():
    x, y = double("x"), double("y")
    f = function([x, y], [x + y, x / y, scalar_ops["erf"](x)],
                 mode="DebugMode")
    assert f(1.0, 2.0) == [3.0, 0.5, math.erf(1.0)]
