"""Random expressions over arrays: what Clinch computes of Variables, NumPy
computes of the arrays. Any dtypes, shapes, strides and order in memory; fused
and not, in each tier.
"""

import os
import random
import warnings

import clinch
import numpy
from array_terms import Seen, evaluate, make_array, random_term, smaller_terms

LIMIT = 60
clinch.config.cache = False

SCRIPT = '''"""{detail}"""
import sys

import numpy
sys.path.insert(0, {folder!r})
import array_search

print(array_search.run({case!r}))
'''


def make(seed):
    draw = random.Random(seed)
    inputs = []
    shape = [draw.choice([0, 1, 2, 3, 5, 17, 130]) if draw.random() < 0.9 else
             draw.choice([1, 700, 2100]) for _ in range(draw.randint(1, 3))]
    while numpy.prod([max(n, 1) for n in shape]) > 20000:
        shape[shape.index(max(shape))] = 3
    for number in range(draw.randint(1, 4)):
        own = [1 if draw.random() < 0.2 else n for n in shape]
        own = own[draw.randint(0, len(own) - 1):] if draw.random() < 0.3 \
            else own
        inputs.append(dict(
            shape=own, seed=draw.randint(0, 10**6),
            dtype=draw.choice(["float64"] * 4 + [
                "float32", "int8", "int32", "int64", "uint8", "bool",
                "complex128"]),
            axes=draw.sample(range(len(own)), len(own)),
            steps=[draw.choice([1, 1, 1, 2, -1, -3]) for _ in own],
            repeated=draw.random() < 0.1))
    terms = [random_term(draw, len(inputs), draw.randint(1, 6))
             for _ in range(draw.randint(1, 3))]
    return dict(inputs=inputs, terms=terms, fuse=draw.random() < 0.8,
                tier=draw.choice(["fast"] * 18 + ["default", "max"]))


def _attempt(compute):
    """(the results, None), or (None, the exception)."""
    try:
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The mean of nothing.
            return compute(), None
    except Exception as error:
        return None, error


def _exceptions(case, arrays):
    """The types of all that the terms and their parts raise: NumPy meets one
    of them first, and a graph, whose order is its own, perhaps another."""
    found = set()
    waiting = list(case["terms"])
    while waiting:
        term = waiting.pop()
        _, error = _attempt(lambda: evaluate(term, arrays))
        if error is not None:
            found.add(type(error))
        waiting += [part for part in term[1:]
                    if isinstance(part, (list, tuple)) and part
                    and isinstance(part[0], str)]
    return tuple(found)


def run(case):
    arrays = [make_array(given) for given in case["inputs"]]
    seen = Seen()
    wanted, theirs = _attempt(
        lambda: [evaluate(term, arrays, seen) for term in case["terms"]])
    variables = [clinch.TensorType(a.dtype, (None,) * a.ndim)()
                 for a in arrays]

    def ours_is():
        made = [evaluate(term, variables) for term in case["terms"]]
        f = clinch.function(variables, made, fuse=case["fuse"],
                            tier=case["tier"])
        first = [numpy.array(r) for r in f(*arrays)]
        again = f(*arrays)
        for a, b in zip(first, again):
            numpy.testing.assert_array_equal(a, b)
        return again

    got, ours = _attempt(ours_is)
    counts = {"expressions": len(case["terms"])}
    if theirs is not None or ours is not None:
        if theirs is not None and ours is not None and (
                isinstance(ours, _exceptions(case, arrays))
                or isinstance(ours, clinch.GraphError)):
            return {"counts": dict(counts, **{"raised by both": 1})}
        if theirs is None and _is_refused(ours):
            return {"counts": dict(counts, **{"refused by Clinch": 1})}
        return _finding(counts, "exception", case,
                        f"NumPy: {theirs!r}; Clinch: {ours!r}")
    for number, (a, b) in enumerate(zip(got, wanted)):
        wrong = _differs(a, numpy.asarray(b), seen)
        if wrong:
            return _finding(counts, "result", case, f"output {number}: "
                            f"{wrong}")
    counts["compared"] = len(wanted)
    return {"counts": counts}


def _is_refused(error):
    """What Clinch has no rule for, and says so."""
    return isinstance(error, (clinch.GraphError, TypeError)) \
        and "not defined for" in str(error) \
        or isinstance(error, ZeroDivisionError)


def _finding(counts, kind, case, detail):
    return {"counts": counts, "finding": dict(
        kind=kind, way=f"fuse={case['fuse']}, tier='{case['tier']}'",
        detail=detail)}


def _differs(a, b, seen):
    """What is wrong with `a`; None when it is `b` but for rounding."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {a.shape}, and NumPy has {b.dtype} {b.shape}"
    if a.dtype.kind in "biu":
        same = numpy.array_equal(a, b)
    else:
        with numpy.errstate(all="ignore"):
            same = numpy.allclose(a, b, 2e3 * seen.precision,
                                  2e3 * seen.precision * seen.size,
                                  equal_nan=True)
    return None if same else f"{a!r}, and NumPy has {b!r}"


def smaller(case):
    if len(case["terms"]) > 1:
        for term in case["terms"]:
            yield dict(case, terms=[term])
    for number, term in enumerate(case["terms"]):
        for simpler in smaller_terms(term):
            yield dict(case, terms=[*case["terms"][:number], simpler,
                                    *case["terms"][number + 1:]])
    for number, given in enumerate(case["inputs"]):
        plain = dict(given, axes=sorted(given["axes"]),
                     steps=[1] * len(given["steps"]), repeated=False)
        if plain != given:
            inputs = list(case["inputs"])
            inputs[number] = plain
            yield dict(case, inputs=inputs)


def script(case, finding):
    return SCRIPT.format(case=case, detail=finding["detail"],
                         folder=os.path.dirname(os.path.abspath(__file__)))
