"""Graphs of each kind of Op, with values for their inputs."""

import numpy as np
import pytensor.tensor as pt
from pytensor.scan.basic import scan

import pytensor

_random = np.random.default_rng(2026)


def _values(*shapes, dtype="float64"):
    return [_random.uniform(0.1, 2.0, shape).astype(dtype) for shape in shapes]


def _elementwise():
    x, y, z = pt.dvectors("x", "y", "z")
    values = _values(7, 7, 7)
    yield "add-mul", [x, y, z], [(x + y) * z], values
    yield "divide", [x, y], [x / y - y // x + x % y], values[:2]
    yield "compare", [x, y], [pt.lt(x, y), pt.eq(x, y), pt.ge(x, y)], values[:2]
    yield "switch", [x, y], [pt.switch(x > y, x * 2, y * 3)], values[:2]
    yield "power", [x], [x**2 + x**3 + abs(-x) + pt.sign(x - 1)], values[:1]
    yield "round", [x], [pt.floor(x), pt.ceil(x), pt.trunc(-x), pt.round(x)], values[:1]
    yield "clip", [x], [pt.clip(x, 0.5, 1.0), pt.maximum(x, 1), pt.minimum(x, 1)], values[:1]
    yield "square-root", [x], [pt.sqrt(x) + pt.sqr(x) + pt.reciprocal(x)], values[:1]
    m = pt.dmatrix("m")
    yield "broadcast", [m, x], [m + x, m * x[None, :], m + x[0]], _values((5, 7), 7)
    f = pt.fvector("f")
    yield "float32", [f], [f * 2 + f, f / 3], _values(9, dtype="float32")
    i, j = pt.lvectors("i", "j")
    whole = [np.array([7, -7, 3, 0]), np.array([2, 2, -2, 5])]
    yield "integers", [i, j], [i + j, i * j, i // j, i % j, i / j], whole
    yield "bits", [i, j], [i & j, i | j, i ^ j, ~i], whole
    b = pt.bvector("b")
    yield "int8", [b], [b + b, b * 2], [np.array([1, -100, 100], "int8")]
    yield "bool", [x], [(x > 1) & (x < 1.5), ~(x > 1)], values[:1]
    yield "cast", [x], [x.astype("int32"), x.astype("float32"), x.astype("int8")], values[:1]
    c = pt.zvector("c")
    yield "complex", [c], [c * 2 + c, c.real, c.imag], [np.array([1 + 2j, -3j])]
    s = pt.dscalar("s")
    yield "zero-d", [s], [(s + 1) * s - s], [np.float64(1.25)]
    yield "empty", [x, y], [x + y], [np.empty(0), np.empty(0)]


def _transcendental():
    x, y, z = pt.dvectors("x", "y", "z")
    values = _values(33, 33, 33)
    yield "exp-log", [x], [pt.exp(x), pt.log(x), pt.log1p(x), pt.expm1(x)], values[:1]
    yield "trigonometry", [x], [pt.sin(x), pt.cos(x), pt.tan(x), pt.arctan(x)], values[:1]
    yield "hyperbolic", [x], [pt.tanh(x), pt.sinh(x), pt.cosh(x)], values[:1]
    yield "fused-tanh", [x, y, z], [pt.tanh(x * y + pt.exp(-z))], values
    yield "sigmoid", [x], [pt.sigmoid(x), pt.softplus(x)], values[:1]
    yield "error-function", [x], [pt.erf(x), pt.erfc(x)], values[:1]
    yield "gamma", [x], [pt.gammaln(x), pt.gamma(x), pt.psi(x)], values[:1]
    yield "power", [x, y], [x**y], values[:2]
    yield "logsumexp", [x], [pt.logsumexp(x)], values[:1]
    yield "gradient", [x], [pytensor.grad((pt.tanh(x) * x).sum(), x)], values[:1]


def _shapes():
    v, m = pt.dvector("v"), pt.dmatrix("m")
    values = _values(6, (4, 6))
    yield "reduce", [m], [m.sum(), m.sum(0), m.prod(1), m.max(1), m.min(0)], values[1:]
    yield "reduce-bool", [m], [(m > 1).any(0), (m > 0).all(1), m.mean(0)], values[1:]
    yield "argmax", [m], [m.argmax(1), m.argmax(0)], values[1:]
    yield "transpose", [m], [m.T, m.dimshuffle(1, "x", 0)], values[1:]
    yield "reshape", [m], [m.reshape((6, 4)), m.flatten(), m.reshape((-1, 3))], values[1:]
    yield "shape", [m], [m.shape, m.shape[0] * m.shape[1]], values[1:]
    yield "join", [v, m], [pt.concatenate([v, m[0]]), pt.stack([v, v * 2])], values
    yield "split", [v], pt.split(v, splits_size=[2, 4], n_splits=2, axis=0), values[:1]
    yield "alloc", [v], [pt.alloc(v[0], 3, 2), pt.zeros_like(v), pt.ones((2, 2))], values[:1]
    yield "arange", [v], [pt.arange(0, 5, 2), pt.eye(3)], values[:1]
    yield "repeat", [v], [pt.repeat(v, 2), pt.tile(v, (2, 2))], values[:1]
    yield "cumulative", [m], [pt.cumsum(m, axis=1), pt.cumprod(m, axis=0)], values[1:]
    yield "sort", [v], [pt.sort(v), pt.argsort(v)], values[:1]
    yield "make-vector", [v], [pt.stack([v[0], v[1] * 2, v[2] + 1])], values[:1]
    yield "specify-shape", [v], [pt.specify_shape(v, (6,)) * 2], values[:1]


def _indices():
    v, m, i = pt.dvector("v"), pt.dmatrix("m"), pt.lscalar("i")
    values = _values(6, (4, 6))
    yield "item", [v, i], [v[i], v[-1]], [values[0], 2]
    yield "slice", [v], [v[1:4], v[::-1], v[::2]], values[:1]
    yield "slices", [m], [m[1:, ::2], m[:, -1], m[2]], values[1:]
    yield "view-of-temporary", [m], [(m * 2)[1:, 1:] + 1], values[1:]
    yield "advanced", [v], [v[np.array([0, 5, 2, 2])]], values[:1]
    yield "advanced-pairs", [m], [m[np.array([0, 1]), np.array([2, 3])]], values[1:]
    yield "mask", [v], [v[v > 1]], values[:1]
    yield "set", [v, i], [pt.set_subtensor(v[i], 9.0)], [values[0], 3]
    yield "increment", [v], [pt.inc_subtensor(v[1:3], v[3:5])], values[:1]
    computed = [pt.set_subtensor((v * 2)[1:3], v[3:5] + 1)]
    yield "set-computed", [v], computed, values[:1]
    yield "increment-computed", [v], [pt.inc_subtensor(pt.zeros(6)[2:], v[:4] * 3)], values[:1]
    yield "advanced-set", [v], [pt.set_subtensor(v[np.array([1, 2])], 0.0)], values[:1]
    yield "advanced-increment", [v], [pt.inc_subtensor(v[np.array([1, 1])], 1.0)], values[:1]


def _linear_algebra():
    a, b, v = pt.dmatrix("a"), pt.dmatrix("b"), pt.dvector("v")
    values = _values((5, 4), (4, 3), 4)
    yield "gemm", [a, b], [a @ b], values[:2]
    yield "gemm-transposed", [a, b], [(a * 2).T @ (a + 1)], values[:2]
    yield "gemm-strided", [a, b], [a[::2, ::-1] @ b[::-1]], values[:2]
    yield "gemv", [a, v], [a @ v, v @ a.T], [values[0], values[2]]
    yield "dot", [v], [v @ v], values[2:]
    yield "outer", [v], [pt.outer(v, v) * 2], values[2:]
    yield "fused-gemm", [a, b], [2.0 * (a @ b) + 1.0], values[:2]
    t = pt.dtensor3("t")
    yield "batched", [t], [pt.matmul(t, t.dimshuffle(0, 2, 1))], _values((3, 2, 4))
    f = pt.fmatrix("f")
    yield "gemm-float32", [f], [f @ f], _values((4, 4), dtype="float32")
    yield "solve", [a], [pt.linalg.solve(a.T @ a + pt.eye(4), pt.eye(4))], values[:1]


def _inner_graphs():
    v, s = pt.dvector("v"), pt.dscalar("s")
    value = _values(6)
    total = scan(lambda e, acc: acc + e, v, pt.zeros(()), return_updates=False)
    yield "scan-sum", [v], [total], value
    power = scan(lambda p, b: p * b, None, pt.ones(()), s, n_steps=5, return_updates=False)
    yield "scan-power", [s], [power, pytensor.grad(power[-1], s)], [np.float64(1.5)]
    both = scan(lambda e: [e * 2, e + 1], v, return_updates=False)
    yield "scan-map", [v], both, value
    fibonacci = scan(
        lambda a, b: a + b,
        outputs_info={"initial": pt.ones(2), "taps": [-2, -1]},
        n_steps=8,
        return_updates=False,
    )
    yield "scan-taps", [v], [fibonacci * v.sum()], value
    yield "scan-gradient", [v], [pytensor.grad((total**2).sum(), v)], value
    x = pt.dvector("x")
    op = pytensor.compile.builders.OpFromGraph([x], [x * 2 + 1])
    yield "op-from-graph", [v], [op(v) * 3], value


REALS = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64"
).split()
COMPLEX = ["complex64", "complex128"]


def _of_each_type():
    """What moves, compares, adds up and casts, for each type of number.

    All of it has C, also as written. Left out is the least of some uint64, which
    is 0 in PyTensor's C.
    """
    for dtype in REALS + COMPLEX:
        x, y = (pt.vector(name, dtype=dtype) for name in "xy")
        m = pt.matrix("m", dtype=dtype)
        values = [_small(dtype, shape) for shape in (6, 6, (3, 4))]
        outputs = [x + y, x * y, pt.eq(x, y), m.sum(), m.sum(0), m.prod(1)]
        outputs += [m[1:, ::-2], m.T, x[2]]
        outputs += [pt.join(0, x, y), pt.alloc(x[0], 2, 3), m.reshape((4, 3))]
        if dtype != "bool":
            outputs += [x - y]
        if dtype in COMPLEX:
            outputs += [abs(x), *(x.astype(other) for other in COMPLEX)]
        else:
            outputs += [x / y, m.max(0), m.argmax(1), pt.lt(x, y), pt.maximum(x, y)]
            casts = ("bool", "int8", "uint32", "float32", "float64", "complex64")
            outputs += [x.astype(other) for other in casts]
        if dtype not in (*COMPLEX, "float32", "float64"):
            outputs += [x & y, ~x]
        yield dtype, [x, y, m], outputs, values


def _changed_parts():
    """Parts of an array that are set or added to, for each type of number."""
    for dtype in REALS + COMPLEX:
        m, n = (pt.matrix(name, dtype=dtype) for name in "mn")
        change = pt.set_subtensor if dtype == "bool" else pt.inc_subtensor
        values = [_small(dtype, (3, 4)), _small(dtype, (3, 2))]
        yield dtype, [m, n], [change(m[:, 1:3], n)], values


def _small(dtype, shape):
    """Whole and positive, so that each type holds them, and their casts."""
    return _random.integers(1, 5, shape).astype(dtype)


KINDS = {
    "elementwise": _elementwise,
    "transcendental": _transcendental,
    "shapes": _shapes,
    "indices": _indices,
    "linear-algebra": _linear_algebra,
    "inner-graphs": _inner_graphs,
    "of-each-type": _of_each_type,
    "changed-parts": _changed_parts,
}


def cases(*kinds):
    """(id, inputs, outputs, values) of every graph of `kinds`, or of all."""
    for kind in kinds or KINDS:
        for name, inputs, outputs, values in KINDS[kind]():
            yield f"{kind}/{name}", inputs, outputs, values
