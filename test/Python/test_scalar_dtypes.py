"""The dtypes of shipped Ops are NumPy's, but for those that
docs/guide/your-first-op.md lists; C and C++ compute the same bits."""

import itertools

import numpy
import pytest

from clinch import Mode, Scalar, function
from clinch.errors import GraphError
from clinch.ops.scalar_ops import scalar_ops
from test_scalar_ops import DTYPES, WHOLE, outputs_for, samples

pytestmark = pytest.mark.filterwarnings("ignore")

INTEGERS = {d for d in DTYPES if numpy.dtype(d).kind in "biu"}
ORDERED = {"lt", "le", "gt", "ge", "minimum", "maximum", "sign"}
NAMED = [name for name, op in scalar_ops.items()
         if op._numpy_name and op.arity < 3]


def is_complex(dtypes):
    return any(numpy.dtype(d).kind == "c" for d in dtypes)


def differs(name, dtypes, numpys):
    """What the page says that it is where NumPy has the dtype `numpys`, or None."""
    if name in WHOLE and INTEGERS.issuperset(dtypes):
        return dtypes[0]
    if (name, *dtypes) == ("conj", "bool"):
        return "bool"
    if (name, *dtypes) == ("angle", "bool"):
        return "float16"
    if is_complex(dtypes) and (name in ORDERED or name in ("expm1", "log1p")):
        return "refused"
    return None


def dtype_in_numpy(op, dtypes):
    try:
        with numpy.errstate(all="ignore"):
            result = getattr(numpy, op._numpy_name)(
                *(numpy.ones(1, d) for d in dtypes))
    except TypeError:
        return "refused"
    return numpy.asarray(result).dtype.name


def dtype_here(op, dtypes):
    try:
        return op(*(Scalar(d)("x") for d in dtypes)).type.dtype
    except GraphError as error:
        assert "is not defined for" in str(error)
        return "refused"


@pytest.mark.parametrize("name", NAMED)
def test_dtypes_are_numpys(name):
    op = scalar_ops[name]
    for dtypes in itertools.product(DTYPES, repeat=op.arity):
        numpys = dtype_in_numpy(op, dtypes)
        wanted = differs(name, dtypes, numpys) or numpys
        assert dtype_here(op, dtypes) == wanted, dtypes


def test_reciprocals_are_floats():
    for dtype in DTYPES:
        wanted = numpy.true_divide(1, numpy.ones(1, dtype)).dtype.name
        assert scalar_ops["reciprocal"](Scalar(dtype)("x")).type.dtype == wanted


def some(dtype):
    """The samples of a dtype, and numbers whose last bits tell."""
    kind, random = numpy.dtype(dtype), numpy.random.default_rng(7)
    values = samples(dtype)
    if kind.kind == "f":
        values += [kind.type(v) for v in 3 * random.normal(size=30)]
    if kind.kind == "c":
        parts = [0.0, -0.0, 1.0, numpy.inf, -numpy.inf, numpy.nan]
        values += [kind.type(complex(a, b)) for a in parts for b in parts]
        values += [kind.type(complex(*v)) for v in 3 * random.normal(size=(30, 2))]
    return values


def bits(value):
    """Of a result; those of a NaN are anybody's."""
    value = numpy.array(value).reshape(1)
    if value.dtype.kind in "fc":
        parts = value.view(value.real.dtype)
        parts[numpy.isnan(parts)] = numpy.nan
    return value.tobytes()


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32",
                                   "float64", "complex64", "complex128"])
@pytest.mark.parametrize("arity", [1, 2])
def test_c_and_cxx_give_the_same_bits(dtype, arity):
    variables = [Scalar(dtype)(f"x{i}") for i in range(arity)]
    found = [(name, output) for name, output in outputs_for(variables, arity)
             if name not in ("int_div", "mod", "pow")]
    c, cxx = (function(variables, [output for _, output in found],
                       mode=Mode(tier="fast", language=language)) for language in ("c",
                                 "c++"))
    pairs = list(itertools.product(some(dtype), repeat=arity))
    for values in pairs[::len(pairs) // 300 + 1]:
        for (name, _), one, other in zip(found, c(*values), cxx(*values)):
            assert bits(one) == bits(other), (name, values, one, other)


def test_complex_powers_of_two_end_in_infinity():
    z = Scalar("complex128")("z")
    f = function([z], scalar_ops["exp2"](z))
    for value in (complex("inf"), complex("-inf"), 3 + 0j, 0j):
        assert f(value) == numpy.exp2(numpy.complex128(value))
