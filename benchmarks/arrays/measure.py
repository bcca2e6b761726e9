"""Measures Clinch and its rivals on arrays; the last line of the output is
JSON. Rivals that are not installed are left out and named there."""

import importlib
import json
import time

import numpy as np

import clinch
from clinch import Mode, function
from expressions import CONSTANTS, EXPRESSIONS, inputs_of

clinch.config.cache = False
ROUNDS = 7


ABSENT = []


def found(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        ABSENT.append(name)
        return None


numba, numexpr, jax = map(found, ("numba", "numexpr", "jax"))


def best(candidates, least=0.02):
    """{name: seconds of a call}, the least of several rounds, in turns."""
    counts, times = {}, {}
    for name, call in candidates.items():
        call()
        begin = time.perf_counter()
        call()
        counts[name] = max(1, int(least / (time.perf_counter() - begin + 1e-9)))
    for _ in range(ROUNDS):
        for name, call in candidates.items():
            begin = time.perf_counter()
            for _ in range(counts[name]):
                call()
            taken = (time.perf_counter() - begin) / counts[name]
            times[name] = min(times.get(name, taken), taken)
    return times


def compiled(make, arrays, **mode):
    variables = [clinch.TensorType(a.dtype, (None,) * a.ndim)()
                 for a in arrays]
    return function(variables, make(*variables), mode=Mode(**mode))


def candidates_of(case, arrays):
    ours = compiled(case.make, arrays)
    made = {"ours": lambda: ours(*arrays),
            "NumPy": lambda: case.make(*arrays)}
    if numexpr is not None and case.numexpr:
        names = dict(zip("xyz", arrays))
        made["numexpr"] = lambda: numexpr.evaluate(case.numexpr, names)
    if numba is not None and case.scalar:
        kernel = numba.vectorize(case.scalar)
        made["Numba"] = lambda: kernel(*arrays)
    if jax is not None and case.jax:
        traced = jax.jit(case.jax)
        held = [jax.numpy.asarray(a) for a in arrays]
        made["JAX"] = lambda: traced(*held).block_until_ready()
    return made


def entry(name, unit, scale, times, targets=(), kind=""):
    ours = times.pop("ours")
    return {"name": name, "unit": unit, "ours": ours * scale, "kind": kind,
            "rivals": {rival: t * scale for rival, t in times.items()},
            "targets": dict(targets)}


def expressions():
    first = EXPRESSIONS[0]
    for count in (10**3, 10**5, 10**7):
        arrays = inputs_of(first, count)
        times = best(candidates_of(first, arrays), 0.05)
        yield entry(f"{first.name}, {count:,} items", "ns an item",
                    1e9 / count, times,
                    {"NumPy": 1.4, "numexpr": 5, "Numba": 5, "JAX": 2.5})
    for case in EXPRESSIONS[1:]:
        arrays = inputs_of(case, 10**6)
        yield entry(case.name, "us", 1e6, best(candidates_of(case, arrays)),
                    kind="expression")
    for case in CONSTANTS:
        arrays = inputs_of(case, 10**6)
        yield entry(case.name, "us", 1e6, best(candidates_of(case, arrays)))


def threads():
    """On as many threads as pay, which give the bits of one."""
    for name, make in (("tanh(x*y + exp(-z))", EXPRESSIONS[0].make),
                       ("sum(x * y * z)", lambda x, y, z: np.sum(x * y * z))):
        for count in (10**5, 10**6, 10**7):
            arrays = inputs_of(EXPRESSIONS[0], count)
            auto = compiled(make, arrays, threads="auto")
            one = compiled(make, arrays)
            assert np.asarray(auto(*arrays)).tobytes() == \
                np.asarray(one(*arrays)).tobytes()
            yield entry(f"{name}, {count:,} items, threads='auto'", "us", 1e6, best({
                "ours": lambda: auto(*arrays), "one thread": lambda: one(*arrays)}))


def reductions():
    x = np.random.default_rng(0).uniform(size=(1000, 1000))
    for name in ("sum", "mean", "max"):
        for axis, said in ((None, "all"), (1, "rows"), (0, "columns")):
            def make(x, name=name, axis=axis):
                return getattr(x, name)(axis=axis)
            ours = compiled(make, [x])
            yield entry(f"{name} of 1e6 doubles, {said}", "us", 1e6, best({
                "ours": lambda: ours(x), "NumPy": lambda: make(x)}),
                {"NumPy": 1.0})

    def fused(x):
        return np.sum(np.exp(x - np.max(x)))

    flat = x.ravel()
    ours = compiled(fused, [flat])
    calls = {"ours": lambda: ours(flat), "NumPy": lambda: fused(flat)}
    if numba is not None:
        kernel = numba.njit(fused)
        calls["Numba"] = lambda: kernel(flat)
    yield entry("sum(exp(x - max(x))) of 1e6", "us", 1e6, best(calls),
                {"NumPy": 1.0, "Numba": 1.0})


def products():
    for n in (64, 256, 1000, 2000):
        x = np.random.default_rng(0).uniform(size=(n, n))
        ours = compiled(lambda a, b: a @ b, [x, x])
        yield entry(f"x @ y, {n}", "us", 1e6, best({
            "ours": lambda: ours(x, x), "NumPy": lambda: x @ x}),
            {"NumPy": 0.98})


def calls():
    x = np.ones(1)
    ours = compiled(lambda a, b: a + b, [x, x])
    yield entry("a call on arrays of one item", "ns", 1e9, best({
        "ours": lambda: ours(x, x), "numpy.add": lambda: np.add(x, x)}, 0.005),
        {"numpy.add": 1.0})


def first_calls():
    """Each time an expression that is new."""
    x = np.ones(10)
    times = {"ours": [], "Numba": [], "JAX": [], "numexpr": []}

    def timed(name, run):
        begin = time.perf_counter()
        run()
        times[name].append(time.perf_counter() - begin)

    for k in range(5):
        number = 1.5 + k

        def make(a, b, np=np, number=number):
            return np.tanh(a * b + number) - a

        timed("ours", lambda: compiled(make, [x, x], tier="fast")(x, x))
        if numexpr is not None:
            text = f"tanh(a * b + {number}) - a"
            timed("numexpr", lambda: numexpr.evaluate(text, {"a": x, "b": x}))
        if numba is not None:
            source = {}
            exec("import math\ndef f(a, b):\n"
                 f"    return math.tanh(a * b + {number}) - a\n", source)
            timed("Numba", lambda: numba.vectorize(source["f"])(x, x))
        if jax is not None:
            timed("JAX", lambda: jax.jit(
                lambda a, b: make(a, b, jax.numpy))(x, x).block_until_ready())
    middle = {name: sorted(taken)[len(taken) // 2]
              for name, taken in times.items() if taken}
    yield entry("first call of a new expression, fast", "ms", 1e3, middle,
                {"Numba": 30, "JAX": 30})


def main():
    if int(np.__version__.split(".")[0]) < 2:
        ABSENT.append("NumPy 2")
    entries = [e for part in (expressions, threads, reductions, products,
                              calls, first_calls) for e in part()]
    print(json.dumps({"absent": ABSENT, "found": entries}))


if __name__ == "__main__":
    main()
