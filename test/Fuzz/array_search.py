"""Random expressions over arrays: what Clinch computes of Variables, NumPy
computes of the arrays. Any dtypes, shapes, strides and order in memory; fused
and not, in each tier. A case is one function of several expressions; one case in
eight is of single Ops of the numbers at the borders, bit for bit.
"""

import os
import random
import warnings
from collections import Counter

import clinch
import number_terms
import numpy
from array_terms import Seen, evaluate, make_array, random_term, unsure

LIMIT = 60
#: A slice goes on till it has drawn this many.
LEAST = {"expressions": 100_000}
clinch.config.cache = False

_OTHER_DTYPES = ["float16", "float32", "float32", "bool", "int8", "int16",
                 "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                 "complex64", "complex128"]

SCRIPT = '''"""{detail}"""
import sys

import numpy
sys.path.insert(0, {folder!r})
import array_search

print(array_search.run({case!r}))
'''


def make(seed):
    draw = random.Random(seed)
    if draw.random() < 1 / 8:
        return dict(numbers=number_terms.random_terms(draw),
                    tier=draw.choice(["fast"] * 8 + ["default", "max"]))
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
            dtype=draw.choice(["float64"] * 6 + _OTHER_DTYPES),
            axes=draw.sample(range(len(own)), len(own)),
            steps=[draw.choice([1, 1, 1, 2, -1, -3]) for _ in own],
            repeated=draw.random() < 0.1))
    most = draw.choice([2, 2, 3, 3, 5])
    terms = [random_term(draw, len(inputs), draw.randint(1, most))
             for _ in range(draw.choice([1, 5, 20, 40, 60]))]
    return dict(inputs=inputs, terms=terms, fuse=draw.random() < 0.9,
                tier=draw.choice(["fast"] * 28 + ["default", "max"]))


def _attempt(compute):
    """(the results, None), or (None, the exception)."""
    try:
        with numpy.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The mean of nothing.
            return compute(), None
    except Exception as error:
        return None, error


def _exceptions(terms, arrays):
    """The types of all that the terms and their parts raise: NumPy meets one
    of them first, and a graph, whose order is its own, perhaps another."""
    found = set()
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        _, error = _attempt(lambda: evaluate(term, arrays))
        if error is not None:
            found.add(type(error))
        waiting += [part for part in term[1:]
                    if isinstance(part, (list, tuple)) and part
                    and isinstance(part[0], str)]
    return tuple(found)


class Function:
    """What Clinch computes of some of a case's terms."""

    def __init__(self, case, arrays, terms):
        self.case, self.arrays, self.terms = case, arrays, terms

    def __call__(self):
        """The results of a second call, which are those of the first."""
        variables = [clinch.TensorType(a.dtype, (None,) * a.ndim)()
                     for a in self.arrays]
        f = clinch.function(variables,
                            [evaluate(term, variables) for term in self.terms],
                            mode=clinch.Mode(fuse=self.case["fuse"],
                                             tier=self.case["tier"]))
        first = [numpy.array(r) for r in f(*self.arrays)]
        again = f(*self.arrays)
        for a, b in zip(first, again):
            numpy.testing.assert_array_equal(a, b)
        return again


def run(case):
    """NumPy's results beside those of one function; what NumPy refuses is
    refused by a function of its own."""
    if "numbers" in case:
        return _run_numbers(case)
    arrays = [make_array(given) for given in case["inputs"]]
    fine, refused = [], []
    for term in case["terms"]:
        seen = Seen()
        wanted, error = _attempt(lambda: evaluate(term, arrays, seen))
        if error is None:
            fine.append((term, numpy.asarray(wanted), seen))
        else:
            refused.append((term, error))
    counts = Counter(expressions=len(case["terms"]))
    wrong = _raises(case, arrays, refused[:1], counts) or \
        _computes(case, arrays, fine, counts)
    return dict({"finding": wrong} if wrong else {}, counts=counts)


def _run_numbers(case):
    items, wrong = number_terms.check(case["numbers"], case["tier"])
    found = dict(finding=dict(kind="number", detail=wrong,
                              way=f"tier='{case['tier']}'")) if wrong else {}
    return dict(found, counts=Counter(expressions=len(case["numbers"]),
                                      numbers=items))


def _raises(case, arrays, refused, counts):
    """One that both must raise for, as the rest of the function would not be
    looked at."""
    for term, theirs in refused:
        _, ours = _attempt(Function(case, arrays, [term]))
        if not isinstance(ours, (*_exceptions([term], arrays),
                                 clinch.GraphError)):
            return _finding(case, "exception",
                            f"NumPy: {theirs!r}; Clinch: {ours!r}")
        counts["raised by both"] += 1
    return None


def _computes(case, arrays, fine, counts):
    if not fine:
        return None
    got, error = _attempt(Function(case, arrays, [term for term, *_ in fine]))
    if error is not None and _is_refused(error):
        return _apart(case, arrays, fine, counts)
    if error is not None:
        return _finding(case, "exception", f"Clinch: {error!r}")
    for number, (a, (term, b, seen)) in enumerate(zip(got, fine)):
        wrong = _differs(a, b, seen, lambda: unsure(term, arrays, b))
        if wrong:
            return _finding(case, "result", f"output {number}: {wrong}")
    counts["compared"] += len(fine)
    return None


def _apart(case, arrays, fine, counts):
    """One of several was refused: each half on its own."""
    if len(fine) == 1:
        counts["refused by Clinch"] += 1
        return None
    half = len(fine) // 2
    return _computes(case, arrays, fine[:half], counts) or \
        _computes(case, arrays, fine[half:], counts)


def _is_refused(error):
    """What Clinch has no rule for, and says so."""
    return isinstance(error, (clinch.GraphError, TypeError)) \
        and "not defined for" in str(error) \
        or isinstance(error, ZeroDivisionError)


def _finding(case, kind, detail):
    return dict(kind=kind, detail=detail,
                way=f"fuse={case['fuse']}, tier='{case['tier']}'")


def _differs(a, b, seen, unsure):
    """What is wrong with `a`; None when it is `b` but for rounding. `unsure()`
    is what rounding can do to each item."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{a.dtype} {a.shape}, and NumPy has {b.dtype} {b.shape}"
    if a.dtype.kind in "biu":
        same = numpy.array_equal(a, b)
    else:
        with numpy.errstate(all="ignore"):
            near = dict(rtol=seen.rounding, equal_nan=True)
            least = seen.rounding * seen.size
            same = numpy.allclose(a, b, atol=least, **near) or numpy.all(
                numpy.isclose(a, b, atol=least, **near)
                | (abs(a - b) <= 8 * unsure()))
    return None if same else f"{a!r}, and NumPy has {b!r}"


def script(case, finding):
    return SCRIPT.format(case=case, detail=finding["detail"],
                         folder=os.path.dirname(os.path.abspath(__file__)))
