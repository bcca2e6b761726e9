"""One Op of the numbers at the borders: the least and the largest, subnormals, zeros
of both signs, infinities, NaN, and Python's numbers of any size. What Clinch makes of
Variables is what NumPy 2 makes of arrays, whichever NumPy is installed, bit for bit but
for the functions of mathematics.

A term is [name, dtype], [name, dtype, dtype], or [name, dtype, k] for NUMBERS[k], and
[name, k, dtype].
"""

import clinch
import numpy

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
          "uint64", "float16", "float32", "float64", "complex64", "complex128"]
NUMBERS = [True, False, 0, 1, 2, -1, 127, 128, 300, -300, 2**31, 2**53 + 1, 2**63 - 1,
           2**63, 2**64 - 1, 2**64, 2**100, -2**63, -2**63 - 1, -2**100, 10**400,
           -10**5000, 0.5, -0.0, 1e39, 1e-46, 2.0**63, float("inf"), float("-inf"),
           float("nan"), 3j, complex(0.0, -0.0)]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]
LOGICAL = ["logical_and", "logical_or", "logical_xor"]
UNARY = ["negative", "absolute", "fabs", "rint", "square", "sqrt", "isnan", "isinf",
         "isfinite", "logical_not", "invert", "sign", "exp", "tanh", "log1p",
         "floor", "ceil", "trunc", "deg2rad"]
BINARY = [*COMPARISONS, *LOGICAL, "add", "subtract", "multiply", "divide", "maximum",
          "minimum", "copysign", "arctan2", "hypot", "floor_divide", "mod",
          "bitwise_and", "bitwise_xor", "left_shift", "right_shift"]
#: With a Python number on either side.
WITH_NUMBERS = [*COMPARISONS, *LOGICAL, "add", "subtract", "divide", "maximum"]
#: Whose last bits are anybody's.
_MATHEMATICS = {"exp", "tanh", "log1p", "deg2rad", "arctan2", "hypot"}
_IN_FLOATS = {"divide": "float64", "arctan2": "float16", "hypot": "float16",
              "copysign": "float16"}
#: Of complex numbers; see the exceptions in docs/guide/your-first-op.md.
_NOT_OF_COMPLEX = {"multiply", "square", "sqrt", "exp", "tanh", "log1p", "sign"}


def values(dtype):
    """The numbers of a dtype at its borders."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == "b":
        return numpy.array([False, True])
    if dtype.kind in "iu":
        ends = numpy.iinfo(dtype)
        some = [ends.min, ends.min + 1, ends.max, ends.max - 1, ends.max // 2 + 1,
                0, 1, 2, 7, *([-1, -2] if ends.min else [])]
        return numpy.array(some, dtype)
    ends = numpy.finfo(dtype)
    part = numpy.dtype(ends.dtype)
    least = numpy.nextafter(part.type(0), part.type(1))
    some = [0.0, -0.0, 1.0, -1.0, least, ends.max, -ends.max, numpy.inf, -numpy.inf,
            numpy.nan]
    if dtype.kind == "c":
        made = numpy.empty((len(some), len(some)), dtype)
        made.real, made.imag = numpy.array(some, part)[:, None], some
        return made.reshape(-1)
    return numpy.array([*some, -least, ends.tiny, ends.tiny / 2, 1 + ends.eps, 0.5, -1.5,
                        2.5, 2.0**31, 2.0**63, 2.0**64, -(2.0**63)], part)


def random_terms(draw):
    def one():
        kind, dtype = draw.random(), draw.choice(DTYPES)
        if kind < 0.15:
            return [draw.choice(UNARY), dtype]
        if kind < 0.5:
            return [draw.choice(BINARY), dtype, draw.choice(DTYPES)]
        operands = [dtype, draw.randrange(len(NUMBERS))]
        draw.shuffle(operands)
        return [draw.choice(WITH_NUMBERS), *operands]

    return [one() for _ in range(draw.choice([1, 10, 40]))]


def operands(term):
    """The arrays and Python numbers that a term is of. Where an integer would be
    divided by zero, which raises in Clinch, there is none."""
    given = [NUMBERS[k] if isinstance(k, int) else values(k) for k in term[1:]]
    arrays = [x for x in given if isinstance(x, numpy.ndarray)]
    if len(arrays) == 2:
        if term[0] in ("floor_divide", "mod") and all(a.dtype.kind in "biu"
                                                      for a in arrays):
            given[1] = arrays[1][arrays[1] != 0]
        given[0] = arrays[0][:, None]
    return given


def _beside(number, dtype, name):
    """A Python number beside an array of this dtype, as NumPy 2 takes it (NEP 50)."""
    if isinstance(number, bool) or name in LOGICAL:
        return numpy.bool_(number != 0)
    if isinstance(number, int) and dtype.kind in "biu":
        own = dtype if dtype.kind != "b" else numpy.dtype("int64")
        ends = numpy.iinfo(own)
        if ends.min <= number <= ends.max:
            return numpy.array(number, own)
        if name not in _IN_FLOATS:
            raise OverflowError(f"Python integer out of bounds for {own}")
        return numpy.array(number, numpy.result_type(own, _IN_FLOATS[name]))
    if isinstance(number, complex):
        return numpy.array(number, numpy.result_type(dtype, "complex64")
                           if dtype.kind in "fc" else "complex128")
    return numpy.array(number, dtype if dtype.kind in "fc" else "float64")


def wanted(name, given):
    """NumPy 2's array; raises what it raises."""
    function = getattr(numpy, name)
    kinds = ["i" if isinstance(x, int) else x.dtype.kind
             if isinstance(x, numpy.ndarray) else "f" for x in given]
    if name in COMPARISONS and set(kinds) <= set("biu"):
        exact = [x.astype(object) if isinstance(x, numpy.ndarray) else x for x in given]
        return function(*exact).astype(bool)
    dtypes = [x.dtype for x in given if isinstance(x, numpy.ndarray)]
    given = [x if isinstance(x, numpy.ndarray) else _beside(x, dtypes[0], name)
             for x in given]
    if name in ("floor", "ceil", "trunc") and kinds[0] in "biu":
        return given[0]  # NumPy 1 makes floats of them.
    return function(*given)


def _is_compared(term):
    complex_ones = [k for k in term[1:] if str(k).startswith("complex")
                    or isinstance(k, int) and isinstance(NUMBERS[k], complex)]
    return not (complex_ones and term[0] in _NOT_OF_COMPLEX)


def _same(name, got, want):
    """For each item, whether it is the same. All NaN are."""
    if want.dtype.kind in "biu":
        return got == want
    part = want.real.dtype
    got, want = (numpy.ascontiguousarray(x).reshape(-1).view(part) for x in (got, want))
    same = (got == want) & (numpy.signbit(got) == numpy.signbit(want))
    same |= numpy.isnan(got) & numpy.isnan(want)
    if name in _MATHEMATICS:
        same |= abs(got - want) <= 4 * numpy.spacing(abs(want))
    return same


def check(terms, tier="fast"):
    """Returns how many items were compared, and the first difference or None."""
    inputs, outputs, arrays, expected = [], [], [], []
    for term in filter(_is_compared, terms):
        given = operands(term)
        want, error = _attempt(lambda: wanted(term[0], given))
        variables = [clinch.TensorType(x.dtype, (None,) * x.ndim)()
                     if isinstance(x, numpy.ndarray) else x for x in given]
        output, refused = _attempt(lambda: getattr(numpy, term[0])(*variables))
        if refused is not None and "is not defined for complex" in str(refused):
            continue
        if _kind(refused) is not _kind(error):
            return 0, f"{term}: NumPy has {error or want!r}, Clinch " \
                      f"{refused or output!r}"
        if refused is None:
            inputs += [v for v in variables if isinstance(v, clinch.Variable)]
            arrays += [x for x in given if isinstance(x, numpy.ndarray)]
            outputs.append(output)
            expected.append((term, want))
    if not outputs:
        return 0, None
    results = clinch.function(inputs, outputs, mode=clinch.Mode(tier=tier))(*arrays)
    for got, (term, want) in zip(results, expected):
        if got.dtype != want.dtype or got.shape != want.shape:
            return 0, f"{term}: {got.dtype} {got.shape}, and NumPy has {want.dtype} " \
                      f"{want.shape}"
        same = _same(term[0], got, want)
        if not same.all():
            return 0, f"{term}: {got!r}, and NumPy has {want!r}"
    return sum(want.size for _, want in expected), None


def _kind(error):
    return error and (OverflowError if isinstance(error, OverflowError) else TypeError)


def _attempt(compute):
    try:
        with numpy.errstate(all="ignore"):
            return compute(), None
    except (TypeError, OverflowError) as error:
        return None, error
