"""Terms over arrays: ["mul", term, term], ["input", 0]. One function computes
them of NumPy's arrays and makes graphs of Variables.

A term is exact when NumPy's result is known to the last bit; only such terms
are compared, rounded or searched.
"""

import clinch
import numpy

_UNARY = ["neg", "abs", "exp", "tanh", "sqrt", "log1p", "sin", "square",
          "invert", "float32", "float64", "cos", "arctan", "expm1",
          "cbrt", "isnan", "clip", "arcsinh", "exp2", "log2", "set", "interp"]
_BINARY = ["add", "sub", "mul", "div", "maximum", "minimum", "hypot", "and",
           "arctan2", "or", "copysign", "xor", "logaddexp", "logaddexp2"]
# Of what is exact only: a last bit would be all the difference.
_STEPS = ["floor", "sign", "mask", "product", "int64", "linspace", "partition", "delete"]
_EXACT = {"neg", "add", "sub", "mul", "maximum", "minimum", "abs", "T", "flip",
          "step", "reshape", "new", "rows", "where", "invert", "and", "max",
          "any", "square", "concatenate", "float64", "int64", "less", "equal",
          "argmax", "argmin", "first", "min", "all", "isnan", "clip", "or",
          "stack", "swapped", "floor", "sign", "mask", "set", "xor", "roll", "tile",
          "repeat", "tril", "linspace", "partition", "delete"}
_VIEWS = ["T", "flip", "step", "reshape", "new", "rows", "first", "swapped", "roll",
          "tile", "repeat", "tril"]
_REDUCTIONS = ["sum", "max", "mean", "any", "prod", "min", "all"]


def random_term(draw, inputs, depth):
    if depth == 0 or draw.random() < 0.1:
        return ["input", draw.randrange(inputs)]

    def below():
        return random_term(draw, inputs, depth - 1)

    kind = draw.random()
    if kind < 0.05:
        term = below()
        return [draw.choice(_STEPS), term] if is_exact(term) else term
    if kind < 0.35:
        return [draw.choice(_UNARY), below()]
    if kind < 0.7:
        return [draw.choice(_BINARY), below(), below()]
    if kind < 0.78:
        condition = random_term(draw, inputs, min(depth - 1, 1))
        made = [draw.choice(["less", "equal"]), condition,
                ["input", draw.randrange(inputs)]]
        return ["where", made, below(), below()] if is_exact(condition) \
            else below()
    if kind < 0.88:
        return [draw.choice(_VIEWS), below()]
    if kind < 0.91:  # Seldom: each is seven loops to compile.
        return [draw.choice(_REDUCTIONS), below(), draw.choice([0, -1, None])]
    if kind < 0.95:
        term = below()
        return [draw.choice(["argmax", "argmin"]), term,
                draw.choice([0, -1])] if is_exact(term) else term
    term = below()
    return [draw.choice(["concatenate", "stack"]), term, term]


def is_exact(term):
    return term[0] == "input" or term[0] in _EXACT and all(
        is_exact(t) for t in term[1:] if isinstance(t, list))


def make_array(given):
    """The array that a case describes."""
    shape, axes = given["shape"], given["axes"]
    dtype = numpy.dtype(given["dtype"])
    whole = [shape[k] * abs(given["steps"][k]) for k in axes]
    generator = numpy.random.default_rng(given["seed"])
    if dtype.kind in "iu":
        made = generator.integers(1, 9, whole)
    elif dtype.kind == "b":
        made = generator.integers(0, 2, whole)
    else:
        made = generator.uniform(-2, 2, whole)
        if dtype.kind == "c":
            made = made + 1j * generator.uniform(-2, 2, whole)
    made = made.astype(dtype).transpose(numpy.argsort(axes))
    made = made[tuple(slice(None, None, s) for s in given["steps"])]
    if given["repeated"] and made.size:
        made = numpy.broadcast_to(made[:1], made.shape)
    return made


class Seen:
    """What the values of a term have in common."""

    def __init__(self):
        self.size, self.dtypes = 1.0, set()

    @property
    def rounding(self):
        """What many roundings of the least exact of them may amount to, relative
        to the value. Few roundings of a float16 leave nothing to compare."""
        if "float16" in self.dtypes:
            return 16 * numpy.finfo("float16").eps
        return 2e3 * numpy.finfo("float32" if self.dtypes & {"float32", "complex64"}
                                 else "float64").eps


def _axis(x, axis):
    """Never down to no dimension: there NumPy 1 has rules of its own."""
    return dict(axis=axis, keepdims=x.ndim == 1 or axis is None)


def _reduce(name):
    """As float32 where the items are float16, whose partial sums NumPy rounds along
    some axes and not along others."""
    def reduced(x, axis):
        if isinstance(x, numpy.ndarray) and x.dtype == "float16":
            return reduced(x.astype("float32"), axis).astype("float16")
        return getattr(x, name)(**_axis(x, axis))
    return reduced


def _with_ones(x):
    """A copy with other items at some places."""
    if not isinstance(x, numpy.ndarray):
        return clinch.set_subtensor(x[::2], 1)
    copy = x.copy()
    copy[::2] = 1
    return copy


def _equal(x, y):
    """NumPy 1's `==` is False where the shapes do not fit."""
    return numpy.equal(x, y) if isinstance(x, numpy.ndarray) else x == y


_DO = {
    "neg": lambda x: numpy.negative(x), "abs": abs,
    "exp": numpy.exp, "tanh": numpy.tanh, "sin": numpy.sin,
    "log1p": lambda x: numpy.log1p(abs(x)),
    "sqrt": lambda x: numpy.sqrt(abs(x)), "square": numpy.square,
    "invert": numpy.logical_not,
    "float32": lambda x: x.astype("float32"),
    "float64": lambda x: x.astype("float64"),
    "int64": lambda x: x.astype("int64"),
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y, "div": lambda x, y: x / y,
    "maximum": numpy.maximum, "minimum": numpy.minimum,
    "hypot": numpy.hypot, "and": numpy.logical_and, "or": numpy.logical_or,
    "cos": numpy.cos, "arctan": numpy.arctan, "expm1": numpy.expm1,
    "cbrt": numpy.cbrt, "isnan": numpy.isnan, "arctan2": numpy.arctan2,
    "copysign": numpy.copysign, "clip": lambda x: numpy.clip(x, 1, 3),
    "arcsinh": numpy.arcsinh, "exp2": numpy.exp2,
    "log2": lambda x: numpy.log2(abs(x)), "xor": numpy.logical_xor,
    "floor": lambda x: numpy.floor(x.astype("float64")),
    "sign": lambda x: numpy.sign(x.astype("float64")),
    "mask": lambda x: x[x > 1], "set": _with_ones,
    "product": lambda x: x @ x.swapaxes(0, 1),
    "stack": lambda x, y: numpy.stack([x, y]),
    "swapped": lambda x: x.swapaxes(0, -1),
    "less": lambda x, y: x < y, "equal": _equal,
    "where": numpy.where,
    "T": lambda x: x.T, "flip": lambda x: x[::-1],
    "step": lambda x: x[..., ::2], "reshape": lambda x: x.reshape(-1),
    "new": lambda x: x[:, None], "rows": lambda x: x[[0, -1, 0]],
    "first": lambda x: x[:1],
    "roll": lambda x: numpy.roll(x, (1, -4), (0, -1)), "tile": lambda x: numpy.tile(x, 2),
    "repeat": lambda x: numpy.repeat(x, 2, -1), "tril": lambda x: numpy.tril(x, 1),
    "interp": lambda x: numpy.interp(x.reshape(-1), [-2.0, 0, 1, 3, 9], [3.0, 1, 2, 8, 0]),
    "partition": lambda x: numpy.partition(x, 3), "delete": lambda x: numpy.delete(x, 4, -1),
    "linspace": lambda x: numpy.linspace(x.min(), x.max(), 6, dtype="int64"),
    "logaddexp": numpy.logaddexp, "logaddexp2": numpy.logaddexp2,
    "concatenate": lambda x, y: numpy.concatenate([x, y], axis=-1),
    "sum": _reduce("sum"),
    "max": lambda x, a: x.max(**_axis(x, a)),
    "mean": _reduce("mean"),
    "any": lambda x, a: x.any(**_axis(x, a)),
    "all": lambda x, a: x.all(**_axis(x, a)),
    "min": lambda x, a: x.min(**_axis(x, a)),
    "argmin": lambda x, a: x.argmin(a, keepdims=x.ndim == 1),
    "prod": _reduce("prod"),
    "argmax": lambda x, a: x.argmax(a, keepdims=x.ndim == 1),
}
_ON_REALS = {"log1p", "hypot", "maximum", "minimum", "less", "argmax", "max",
             "float32", "float64", "int64", "where", "and", "invert", "or",
             "argmin", "min", "clip", "arctan2", "copysign", "cbrt", "arctan",
             "expm1", "all", "any", "xor", "floor", "sign", "mask", "exp2",
             "log2", "arcsinh", "interp", "linspace", "logaddexp", "logaddexp2", "tril"}


def evaluate(term, given, seen=None, nudge=None):
    """Of arrays, or of Variables; `seen` gets what all values have in common:
    the largest, and the dtypes. `nudge` changes each value a little."""
    if term[0] == "input":
        return given[term[1]]
    parts = [evaluate(t, given, seen, nudge) if isinstance(t, list) else t
             for t in term[1:]]
    arrays = [p for p in parts if hasattr(p, "dtype")]
    dtypes = [numpy.dtype(p.dtype) for p in arrays]
    if term[0] in _ON_REALS and any(d.kind == "c" for d in dtypes):
        parts = [p.real if hasattr(p, "dtype") and
                 numpy.dtype(p.dtype).kind == "c" else p for p in parts]
    made = _DO[term[0]](*parts)
    if seen is not None:
        _look(made, seen)
    return made if nudge is None else nudge(made)


def unsure(term, given, exactly):
    """How far a last bit here and there leads from what was computed, item by
    item: far where what is nearly equal was subtracted."""
    random = numpy.random.default_rng(1)

    def nudge(made):
        if made.dtype.kind not in "fc":
            return made
        some = random.integers(-1, 2, made.shape).astype(made.real.dtype)
        return made * (1 + some * numpy.finfo(made.dtype).eps)

    far = numpy.zeros(exactly.shape)
    with numpy.errstate(all="ignore"):
        for _ in range(8):
            made = numpy.asarray(evaluate(term, given, nudge=nudge))
            if made.shape == far.shape:  # A mask may let another one through.
                far = numpy.fmax(far, abs(made - exactly))
    return far


def _look(made, seen):
    seen.dtypes.add(numpy.dtype(made.dtype).name)
    if made.size and made.dtype.kind in "fc":
        finite = abs(made[numpy.isfinite(made)])
        if finite.size:
            seen.size = max(seen.size, float(finite.max()))
