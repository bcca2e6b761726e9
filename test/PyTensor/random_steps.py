"""The steps that a random graph grows by.

Each takes the graph and gives a variable, what it is made of, and whether it is
exact; None where the graph has nothing that it fits.
"""

import numpy as np
import pytensor.tensor as pt

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
DTYPES = ("bool", *INTEGERS, *FLOATS)
ALL = "biufc"
LEAVES = (*DTYPES, "complex64", "complex128")


def _fit(a, b):
    """Whether two broadcast by what their types say."""
    pairs = zip(reversed(a.variable.type.shape), reversed(b.variable.type.shape), strict=False)
    values = zip(reversed(a.value.shape), reversed(b.value.shape), strict=False)
    return all(
        n == m or 1 in (s, t) for (s, t), (n, m) in zip(pairs, values, strict=False)
    )


def _two(graph, kinds="biuf", exact=None):
    a, b = graph.pick(kinds, exact), graph.pick(kinds, exact)
    return (a, b) if a and b and _fit(a, b) else (None, None)


def arithmetic(graph):
    a, b = _two(graph, "biufc")
    if a is None:
        return None
    op = graph.random.choice((pt.add, pt.mul, pt.sub, pt.maximum, pt.minimum))
    if op in (pt.maximum, pt.minimum) and "c" in (a.kind, b.kind):
        return None
    if op is pt.sub and "b" in (a.kind, b.kind):
        return None
    # float32 has 24 bits, and each multiplication may need those of both.
    return op(a.variable, b.variable), (a, b), a.scale * b.scale < 2**10


def comparison(graph):
    a, b = _two(graph, "biufc", exact=True)
    if a is None:
        return None
    op = graph.random.choice((pt.lt, pt.le, pt.gt, pt.ge, pt.eq, pt.neq))
    if op not in (pt.eq, pt.neq) and "c" in (a.kind, b.kind):
        return None
    return op(a.variable, b.variable), (a, b), True


def bits(graph):
    a, b = _two(graph, graph.random.choice(("b", "iu")))
    if a is None:
        return None
    op = graph.random.choice((pt.bitwise_and, pt.bitwise_or, pt.bitwise_xor))
    return op(a.variable, b.variable), (a, b), True


def choice(graph):
    a, b = _two(graph, "biufc")
    c = graph.pick("b")
    if a is None or c is None or not _fit(c, a) or not _fit(c, b):
        return None
    return pt.switch(c.variable, a.variable, b.variable), (a, b, c), True


def division(graph):
    a, b = _two(graph, "iu")
    if a is None:
        return None
    whole = pt.switch(pt.eq(b.variable, 0), b.variable + 1, b.variable)
    op = graph.random.choice((pt.int_div, pt.mod, pt.true_div))
    return op(a.variable, whole), (a, b), op is not pt.true_div


def cast(graph):
    a = graph.pick(exact=True)
    to = graph.random.choice(DTYPES)
    if a is None or to == "bool":
        return None
    if to in INTEGERS:
        bounds = np.iinfo(to)
        if a.low < bounds.min or a.high > bounds.max:
            return None
    return pt.cast(a.variable, to), (a,), True


def of_one(graph):
    a = graph.pick("ifc")
    if a is None:
        return None
    op = graph.random.choice((pt.neg, pt.abs, pt.sqr))
    exact = a.scale**2 < 2**10 and (op is not pt.abs or a.kind != "c")
    return op(a.variable), (a,), exact


def stepwise(graph):
    a = graph.pick("if", exact=True)
    if a is None:
        return None
    v = a.variable
    made = (pt.floor, pt.ceil, pt.trunc, pt.sign, lambda v: pt.clip(v, -1, 2))
    return graph.random.choice(made)(v), (a,), True


def curve(graph):
    a = graph.pick()
    if a is None or (a.kind in "iub" and a.value.dtype.itemsize < 4):
        return None
    v = a.variable
    ways = (
        lambda: pt.tanh(v), lambda: pt.sin(v), lambda: pt.cos(v),
        lambda: pt.exp(-pt.sqr(v)), lambda: pt.log(pt.sqr(v) + 1),
        lambda: pt.sqrt(abs(v) + 1), lambda: pt.log1p(abs(v)), lambda: pt.sigmoid(v),
        lambda: pt.erf(v), lambda: pt.arctan(v), lambda: 1 / (pt.sqr(v) + 1.5),
    )  # fmt: skip
    return graph.random.choice(ways)(), (a,), False


def reduction(graph):
    op = graph.random.choice((pt.sum, pt.max, pt.min, pt.mean, pt.argmax, pt.any, pt.all))
    kinds = "b" if op in (pt.any, pt.all) else "iufc" if op is pt.sum else "iuf"
    a = graph.pick(kinds, exact=True if op is pt.argmax else None, ndim=1)
    if a is None or not a.value.size:
        return None
    axis = graph.random.choice((None, *range(a.value.ndim)))
    keep = graph.random.random() < 0.5
    made = op(a.variable, axis=axis, keepdims=keep)
    exact = op is not pt.mean and a.scale * a.value.size < 2**12
    return made, (a,), exact


def order(graph):
    a = graph.pick(ALL, ndim=1)
    if a is None:
        return None
    axes = list(range(a.value.ndim))
    graph.random.shuffle(axes)
    if graph.random.random() < 0.3:
        axes.insert(graph.random.randint(0, len(axes)), "x")
    return a.variable.dimshuffle(*axes), (a,), True


def shape(graph):
    a = graph.pick(ALL, ndim=1)
    if a is None:
        return None
    made = a.variable.flatten() if graph.random.random() < 0.5 else None
    if made is None:
        made = a.variable.reshape((a.value.shape[0], -1), ndim=2) if a.value.size else None
    return made if made is None else (made, (a,), True)


def _indices(graph, shape):
    indices = []
    for n in shape:
        first, last = sorted(graph.random.choices(range(n + 1), k=2))
        way = graph.random.choice(("all", "item", "slice", "back", "step") if n else ("all",))
        indices.append({
            "all": slice(None), "item": graph.random.randrange(-n, n) if n else None,
            "slice": slice(first, last), "back": slice(None, None, -1),
            "step": slice(first, None, 2),
        }[way])  # fmt: skip
    return tuple(indices)


def part(graph):
    a = graph.pick(ALL, ndim=1)
    if a is None or 0 in a.value.shape:
        return None
    return a.variable[_indices(graph, a.value.shape)], (a,), True


def gathered(graph):
    a = graph.pick(ALL, ndim=1)
    if a is None or not a.value.shape[0]:
        return None
    n = a.value.shape[0]
    rows = [graph.random.randrange(-n, n) for _ in range(graph.random.randint(0, 6))]
    index = pt.constant(np.array(rows, graph.random.choice(("int8", "int32", "int64"))))
    return a.variable[index], (a,), True


def changed(graph):
    a = graph.pick("iufc", ndim=1)
    if a is None or not a.value.shape[0]:
        return None
    index = _indices(graph, a.value.shape[: graph.random.randint(0, 3)])
    if graph.random.random() < 0.2:
        index = [0, 0, -1]
    b = graph.pick("b" if a.kind == "u" else a.kind, exact=True)
    if b is None or b.value.dtype.itemsize > a.value.dtype.itemsize:
        return None
    values = np.zeros(a.value[index].shape)
    if b.value.ndim > values.ndim or np.broadcast(b.value, values).shape != values.shape:
        return None
    change = graph.random.choice((pt.set_subtensor, pt.inc_subtensor))
    return change(a.variable[index], b.variable), (a, b), True


def product(graph):
    a, b = graph.pick("f", ndim=2), graph.pick("f", ndim=1)
    if a is None or b is None or a.value.ndim != 2 or b.value.ndim > 2:
        return None
    if a.value.shape[1] != b.value.shape[0]:
        return None
    return pt.dot(a.variable, b.variable), (a, b), False


def joined(graph):
    a = graph.pick(ALL, ndim=1)
    b = graph.pick(ALL, ndim=1)
    if a is None or b is None or a.value.shape[1:] != b.value.shape[1:]:
        return None
    return pt.concatenate([a.variable, b.variable]), (a, b), True


def sorted_(graph):
    a = graph.pick(exact=True, ndim=1)
    if a is None:
        return None
    op = graph.random.choice((pt.sort, lambda v: pt.argsort(v, kind="stable"), pt.cumsum))
    return op(a.variable), (a,), a.scale * a.value.size < 2**12


STEPS = (
    arithmetic, arithmetic, arithmetic, comparison, bits, choice, choice, division, cast,
    cast, of_one, stepwise, curve, curve, reduction, reduction, order, shape, part, part,
    gathered, changed, product, joined, sorted_,
)  # fmt: skip

#: Those that round what is float16.
ROUNDING = (arithmetic, cast, of_one, reduction, sorted_)
