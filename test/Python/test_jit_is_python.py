"""Functions under `jit` give and change what they do without it, or run in Python."""

import collections
import dataclasses
import numbers
import os
import sys
import typing
import warnings

import numpy as np
import pytest

import clinch

from clinch import jit

FUZZ = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Fuzz")
sys.path.insert(0, FUZZ)
import jit_search  # noqa: E402

sys.path.remove(FUZZ)


class Fit(typing.NamedTuple):
    mean: float
    sd: float


@dataclasses.dataclass(frozen=True)
class C:
    x: object


def a_view(x):
    x = x.copy()
    row = x[0]
    row -= row.mean()
    return x


def rows(x):
    x = x * 1.0
    for row in x:
        row /= row.sum()
    return x


def alias(x):
    y = x
    y += 1
    return x


def callers(x):
    x *= 2
    return x.sum()


def narrow(x):
    s = x.astype(np.float32)
    s += x
    return s


def transposed(x):
    y = x.T
    y[0] = 7
    return x, y


def items(x):
    out = np.zeros(len(x))
    for k in range(len(x)):
        out[k] = x[k].sum()
    return out


def into(x):
    np.exp(x, out=x)
    np.add(x[1], 1, out=x[0])
    return x


def changed(x):
    x[x > 2] = -1
    x[0, 1:] += 5
    x.sort()
    np.copyto(x[0], 3.0)
    np.add.at(x, (0, [0, 0]), 1)
    return x[::-1]


def kinds(x, s=2.5):
    return [isinstance(x, np.ndarray), type(x) is np.ndarray, isinstance(s, float),
            isinstance(s, numbers.Number), np.isscalar(s), hasattr(x, "tolist"),
            getattr(s, "dtype", None) is None, x.dtype == "f8", x.dtype is np.dtype(float),
            x.shape[0] in {2, 3}, isinstance(x.shape[0], int), {2: "two"}.get(x.shape[0]),
            x.dtype in {np.dtype("f8")}, s in {2.5}]


def matched(x):
    match x:
        case np.ndarray():
            return x * 2
    return x


def diagonal(x):
    np.fill_diagonal(x, 9.0)
    np.putmask(x, x > 4, -1)
    return x


def masked(x):
    return np.sqrt(x, where=x > 2, out=np.zeros_like(x))


COMPILED = [
    (a_view,), (rows,), (alias,), (callers,), (narrow,), (transposed,), (items,), (into,),
    (changed,), (kinds,), (matched,),
    (lambda x: Fit(x.mean(), x.std()),), (lambda x: C(x.sum(axis=0)),),
    (lambda x: collections.OrderedDict(a=x.T),), (lambda x: {"n": x.size, "s": x.shape},),
    (lambda x: (x, x[0], x.T, x.ravel()),), (lambda x: [x + 1] * 2,), (lambda x: None,),
    (lambda x: np.std(x, 0, None, None, 1),), (lambda x: np.mean(x, 0, None, None, True),),
    (lambda x: x.clip(min=1, max=2),), (lambda x: np.clip(x, a_min=1, a_max=3),),
    (lambda x: np.full_like(x, fill_value=2),), (lambda x: x.reshape(-1, order="C"),),
    (lambda x: np.array([[x.sum(), 1], [2, x[0, 0]]]),), (lambda x, s: x * s, 2.5),
    (lambda x: np.array(x.sum()),), (lambda x, n: np.array(n | 1), np.int64(4)),
    (lambda x, s: (s * s + 1, s > 1, s ** 2, s, type(s)), 2.5), (lambda x, c: np.sqrt(x * c), complex(-1, -0.0)),
    (lambda x: np.where(x > 1)[0] if x.ndim == 3 else x.max(axis=1),),
    (lambda x: np.eye(x.shape[0]) @ x,), (lambda x: np.where(x[0] > 1),), (lambda x: x.clip(min=2),), (diagonal,), (masked,),
    (lambda x: np.add(x, 1, dtype="f4"),), (lambda x: np.maximum.accumulate(x, axis=1),),
    (lambda x: x.T.copy(),), (lambda x: np.asfortranarray(x).copy() if x.ndim == 3 else x,),
    (lambda x: x if x.min() < 0 else x * 2,), (lambda x: 3.0 in x,)]


@pytest.mark.parametrize("case", COMPILED)
def test_it_is_what_python_does_compiled(case):
    python, *more = case
    function = jit(python, strict=True)
    for k in range(3):
        given, other = (np.arange(6.0).reshape(2, 3) + k for _ in range(2))
        got, want = function(given, *more), python(other, *more)
        assert jit_search._unlike(want, got) == ""
        assert jit_search._unlike(other, given) == ""
        assert jit_search._shared(dict(result=got, given=given, around=0)) \
            == jit_search._shared(dict(result=want, given=other, around=0))


KEPT = []


def keeps(x):
    KEPT.append(x.sum())
    return x


def tries(x):
    try:
        return float(x.sum())
    except TypeError:
        return -1.0


def catches(x):
    try:
        return x[7]
    except IndexError:
        return np.nan


def states(x):
    with np.errstate(divide="ignore"):
        return 1 / x


def appends(x, seen):
    seen.append(x.sum())
    return x


def counts(x):
    global COUNT
    COUNT += 1
    return x * COUNT


COUNT = 0
number = " is no number before it is computed, as `float`, `range`, `math.sin` or an item " \
    "of an array must be; for a graph Clinch has `sin`, `stack` and others of its own"
exceptions = "`try` and `with` look at exceptions, which compiled code raises later"
IN_PYTHON = [
    (lambda x: f"mean = {x.mean()}", "Reduce{mean, 0,1}(x) has no text before it is computed"),
    (lambda x: str(x), "x has no text before it is computed"),
    (lambda x: "%s" % x.sum(), "Reduce{add, 0,1}(x) has no text before it is computed"),
    (lambda x: {x.sum()}, "Reduce{add, 0,1}(x)" + number),
    (lambda x: int(x.sum()), "Reduce{add, 0,1}(x)" + number),
    (tries, exceptions), (catches, exceptions), (states, exceptions),
    (keeps, "it changes a list or dict that it did not make"),
    (lambda x: appends(x, KEPT), "it changes a list or dict that it did not make"),
    (counts, "it assigns the global `COUNT`"),
    (lambda x: print(x.shape), "`print` is a function that only Python has"),
    (lambda x: (v for v in x), "a generator as a result may hold what is not computed yet"),
    (lambda x: np.hypot(x, 1, dtype="f4"), "numpy.hypot takes no dtype in a graph"),
    (lambda x: np.where(x > 1), "the items of a result have another order in memory than "
     "NumPy's"),
    (lambda x: np.roots(x[0]), "numpy.roots has no Op that computes it in a graph"),
    (lambda x: x.astype("f4") * np.float64(2), "NumPy before version 2 looks at the value of "
     "a number of dtype float64 beside an array of float32")]


@pytest.mark.parametrize("python, why", IN_PYTHON)
def test_what_python_alone_can_do_runs_there_once(python, why):
    if "version 2" in why and int(np.__version__.split(".")[0]) >= 2:
        pytest.skip("NumPy 2 does not")
    function = jit(python)
    x = np.arange(6.0).reshape(2, 3)
    KEPT.clear()
    want, before = python(x), list(KEPT)
    KEPT.clear()
    with pytest.warns(RuntimeWarning) as found:
        got = function(x)
    assert [str(w.message).partition(" compile: ")[2] for w in found] == [why]
    assert found[0].filename == __file__ and KEPT == before
    assert type(got) is type(want) or python is counts
    with pytest.raises(TypeError) as error:
        jit(python, strict=True)(x)
    assert str(error.value) == why


def test_exceptions_are_pythons():
    def cast(x):
        i = x.astype(int)
        i += 1.5
        return i

    def shape(x):
        s = x[0].copy()
        s += x
        return s

    for python, given in ((cast, np.ones((2, 3))), (shape, np.ones((2, 3))),
                          (lambda x: x + x.T, np.ones((2, 3))), (lambda a: 1.0 / a, 0.0),
                          (lambda a: a ** 2, 1e308), (lambda x: x[5], np.ones(3)),
                          (lambda x: np.linalg.cholesky(x), -np.eye(2))):
        with pytest.raises(Exception) as want:
            python(given)
        with pytest.raises(type(want.value)) as got:
            jit(python)(given)
        assert str(got.value) == str(want.value)
    assert jit(lambda a: a ** (1 / 3))(-8.0) == (-8.0) ** (1 / 3)


def test_exceptions_of_later_calls_are_pythons_too():
    """Also of values that nobody needs; and then nothing has changed."""
    @jit(strict=True)
    def f(x, y):
        x += 1
        x * y
        return x[y.argmax():]

    @jit(strict=True)
    def g(x, y):
        x += 1
        return x.reshape(3, -1)

    assert jit(f.python)(np.ones(3), np.ones(3)).tolist() == [2, 2, 2]
    x = np.ones(3)
    assert g(np.ones(6), x).shape == (3, 2)
    with pytest.raises(ValueError, match="cannot reshape array of size 4"):
        g(y := np.ones(4), x)
    assert y.tolist() == [2] * 4  # As Python leaves it.

    h = jit(lambda x, y: (x * y, x)[1], strict=True)
    h(x, x)
    with pytest.raises(ValueError, match="could not be broadcast"):
        h(x, np.ones(4))


def test_branches_on_values_are_those_of_each_call():
    def norm(x):
        total = x.sum()
        if total == 0:
            x += 1
            return x
        x /= total
        return x

    function = jit(norm)
    for k in range(3):
        for given in (np.ones(3), np.zeros(3), np.ones(3) * k):
            other = given.copy()
            assert function(given) is given
            assert given.tolist() == norm(other).tolist()
    with pytest.warns(RuntimeWarning, match="what it does depends on values"):
        for _ in range(clinch.tracing.jit.MANY_MISSES + 1):
            assert function(np.zeros(3)).tolist() == [1, 1, 1]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_order_in_memory_follows_each_calls_arguments():
    for python in (lambda x: x * x.max(), lambda x: x.copy(), lambda x: x + 1,
                   lambda x: x.flatten(), lambda x: np.array(x), lambda x: np.where(x)[0]):
        function = jit(python, strict=True)
        for order in "FCFC":
            x = np.asarray(np.arange(6.0).reshape(2, 3), order=order)
            assert jit_search._unlike(python(x), function(x)) == ""
    both = jit(lambda x, y: ((y * x) / 2, y + 1))
    x, y = np.ones((2, 3)), np.asfortranarray(np.ones((2, 3)))
    for given in ((y, y), (x, y), (y, x), (x, x), (x[:1], y[:1]), (x[:, ::-1], y[::-1])):
        assert jit_search._unlike(both.python(*given), both(*given)) == ""


def test_arguments_that_overlap_and_that_are_fixed():
    def add(x, y):
        x += y
        return x

    function = jit(add, strict=True)
    for make in (lambda: (np.arange(5.0), np.arange(5.0)),
                 lambda: (a := np.arange(5.0), a), lambda: (a := np.arange(6.0), a[1:])):
        (x, y), (u, v) = make(), make()
        x, u = x[:5], u[:5]
        assert function(x, y[:5]) is x
        add(u, v[:5])
        assert x.tolist() == u.tolist() and y.tolist() == v.tolist()
    fixed = np.ones(5)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(fixed, np.ones(5))
    same = jit(lambda x, y: x is y, strict=True)
    a = np.ones(2)
    assert same(a, a.copy()) is False and same(a, a) is True


SCALE = np.ones(2)


def _scaled(x):
    return x * SCALE


def test_what_is_read_is_read_at_each_call(monkeypatch):
    places = np.arange(3.0)

    class Model:
        def __init__(self):
            self.w, self.more = np.ones(2), [np.ones(2)]

        @jit(strict=True)
        def run(self, x):
            return self.half(x) + self.more[0]

        def half(self, x):
            return x @ self.w / 2

    functions = [jit(_scaled, strict=True), jit(lambda x: _scaled(x) + 1, strict=True),
                 jit(lambda x: np.interp(x, places, places), strict=True)]
    model, x = Model(), np.array([0.5, 1.5])
    for _ in range(2):
        for function in functions:
            np.testing.assert_array_equal(function(x), function.python(x))
        np.testing.assert_array_equal(model.run(x), Model.run.python(model, x))
        places *= 0.5
        SCALE[0] += 1
        model.w, model.more[0] = np.full(2, 3.0), x
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 2.0)
    assert functions[0](x).tolist() == [1.0, 3.0]
    monkeypatch.setattr(sys.modules[__name__], "_scaled", lambda x: -x)
    assert functions[1](x).tolist() == [0.5, -0.5]


def test_keys_are_types_and_bits():
    function = jit(lambda x, k: np.sqrt(x * k), strict=True)
    x = np.array([1 + 0j])
    for k in (complex(-1, 0.0), complex(-1, -0.0), complex(-1, 0.0)):
        assert function(x, k).tolist() == np.sqrt(x * k).tolist()
        assert str(function(x, k)) == str(np.sqrt(x * k))
    held = jit(lambda x, c: x * c.x, strict=True)
    for value in (2, 2.0, True, np.float64(2)):
        got = held(np.arange(2), C(value))
        assert got.dtype == (np.arange(2) * value).dtype


def test_a_function_that_keeps_running_in_python_is_left_to_it():
    @jit
    def text(x):
        return str(x)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(1, clinch.tracing.jit.ALWAYS + 2):
            text(x=[np.ones(1)] * k)
    assert text._is_python


@pytest.mark.parametrize("seed", range(150))
def test_drawn_functions(seed):
    answer = jit_search.run(jit_search.make(seed))
    assert "finding" not in answer, answer


def test_the_code_of_a_call_is_found_by_all_that_it_depends_on():
    namespace = {"rate": 2.0}
    exec("def f(x, n=2, *, scale=1.0):\n    return x * n * scale * rate", namespace)
    slow = []

    class Watched(clinch.tracing.jit.Jitted):
        def _called(self, *arguments, **keywords):
            slow.append(arguments)
            return super()._called(*arguments, **keywords)

    f = Watched(namespace["f"], True, None)
    x = np.arange(4.0)
    for arguments, keywords, rate, calls in (
            ((x,), {}, 2.0, 1), ((x,), {}, 2.0, 1), ((x[:2],), {}, 3.0, 1),
            ((x, 3), {}, 2.0, 2), ((x, 3), {}, 2.0, 2), ((x, True), {}, 2.0, 3),
            ((x,), {"n": 3}, 2.0, 4), ((x,), {"n": 3}, 2.0, 4),
            ((x,), {"scale": 2.0}, 2.0, 5), ((x,), {"scale": 7.5}, 2.0, 5),
            ((x.astype("f4").astype("f8"),), {}, 2.0, 5), ((x.reshape(2, 2),), {}, 2.0, 6),
            ((x.reshape(2, 2).T,), {}, 2.0, 7), ((x.reshape(2, 2).T,), {}, 2.0, 8),
            ((x.reshape(2, 2),), {}, 2.0, 8), ((x,), {}, np.float64(2.0), 9),
            ((x,), {}, np.float64(2.5), 9)):
        namespace["rate"] = rate
        result = f(*arguments, **keywords)
        np.testing.assert_array_equal(result, f.python(*arguments, **keywords))
        assert len(slow) == calls, (arguments, keywords, rate)


def test_calls_that_run_in_python_are_found_too():
    calls = []

    class Watched(clinch.tracing.jit.Jitted):
        def _called(self, *arguments, **keywords):
            calls.append(arguments)
            return super()._called(*arguments, **keywords)

    f = Watched(lambda x: x.tolist() if x.ndim == 2 else x * 2, False, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            assert f(np.ones((2, 2))) == [[1.0, 1.0], [1.0, 1.0]]
            assert f(np.ones(2)).tolist() == [2.0, 2.0]
    assert len(calls) == 2


def test_explain_says_what_runs_where_and_why():
    scale = 2.0

    @jit
    def f(x, how):
        if how == "text":
            return str(x)
        y = np.sort(x) * scale
        if x.sum() > 0:
            x[0] = 7.0
        return y

    x = np.arange(1.0, 4.0)
    assert f.explain(x, "text") == (
        "`f` runs in Python for such arguments, as it does not compile: "
        "x has no text before it is computed")
    lines = f.explain(x, "sort").splitlines()
    assert x.tolist() == [1.0, 2.0, 3.0]
    assert lines[:6] == [
        "`f` is compiled, for arrays of any lengths",
        "each call compares or reads: np, scale",
        "each call checks 1 condition, and runs in Python if it is not as it was",
        "1 argument changes", "NumPy computes: numpy.sort",
        "the rest is compiled C; the graph:"]


def test_a_loop_of_many_steps_says_so():
    def squares(x):
        s = 0.0
        for v in x:
            s = s + v * v
        return s

    with pytest.raises(TypeError, match="a graph of more than 400 nodes: a loop of many "
                                        "steps is better written in C"):
        jit(squares, strict=True)(np.ones(300))
    assert jit(squares, strict=True)(np.ones(30)) == 30.0


def test_a_step_of_training_that_sets_attributes_runs_in_python():
    class Model:
        def __init__(self):
            self.w = np.ones(2)

        @jit
        def step(self, x):
            self.w = self.w + x
            return self.w

    model = Model()
    with pytest.warns(RuntimeWarning, match="it assigns the attribute `w`"):
        assert model.step(np.ones(2)).tolist() == [2.0, 2.0]
    assert model.step(np.ones(2)) is model.w and model.w.tolist() == [3.0, 3.0]
