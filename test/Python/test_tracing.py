"""`jit` and `evaluate`: functions of arrays that compile themselves."""

import functools
import operator
import pickle
import threading
import warnings

import numpy as np
import pytest

from clinch import evaluate, jit


@jit
def rows(x, y):
    """Sums of rows."""
    return np.tanh(x * y).sum(axis=1)


def check(got, want):
    assert type(got) is type(want)
    if isinstance(want, (np.ndarray, np.generic)):
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-12)
    else:
        assert got == want


def test_a_function_of_arrays():
    x, y = np.arange(6.0).reshape(2, 3), np.ones(3)
    check(rows(x, y), np.tanh(x * y).sum(axis=1))
    check(rows(x, y[:1]), np.tanh(x * y[:1]).sum(axis=1))
    check(rows(np.ones((5, 1)), y=y), np.tanh(np.ones((5, 3))).sum(axis=1))
    assert rows.__doc__ == "Sums of rows." and rows.__name__ == "rows"
    assert pickle.loads(pickle.dumps(rows)) is rows


def test_it_is_compiled_once_for_each_set_of_dtypes_and_dimensions():
    @jit(strict=True)
    def twice(x):
        return x * 2

    for x in (np.ones(3), np.ones(5), np.zeros((2, 2)), np.ones(3, "float32"),
              np.float64(3), np.ones(7), np.ones((1, 1))):
        check(twice(x), x * 2)
    assert twice.compiled(np.ones(3)) is twice.compiled(np.ones(9))
    codes = {twice.compiled(x) for x in (np.ones(3), np.zeros((2, 2)), np.float64(3),
                                         np.ones(3, "float32"), np.array(3.0))}
    assert len(codes) == 5
    assert "Elemwise{mul}" in twice.compiled(np.ones(3)).emit("graph")


def test_what_is_no_array_is_part_of_the_key():
    @jit(strict=True)
    def power(x, n, how="up", *, scale=1.0):
        return x ** n * scale if how == "up" else x - n

    x = np.arange(3.0)
    for n, scale in ((2, 1.0), (3, 0.5), (2, 0.25), (2, 7.0)):
        check(power(x, n, scale=scale), x ** n * scale)
    check(power(x, 2, "down"), x - 2)
    check(power(x, True), x ** True)
    # Floats are data, so 1.0, 0.25 and 7.0 run the same code; 1 is not True.
    assert power.compiled(x, 2, scale=1.0) is power.compiled(x, 2, scale=7.0)
    assert power.compiled(x, 1) is not power.compiled(x, True)


def test_a_float_is_weak_beside_float32():
    @jit(strict=True)
    def scaled(x, a):
        return x * a

    check(scaled(np.ones(3, "float32"), 2.5), np.full(3, 2.5, "float32"))
    check(scaled(np.ones(3, "float32"), 0.5), np.full(3, 0.5, "float32"))
    check(scaled(np.ones(3, "int8"), 2.5), np.full(3, 2.5))
    check(scaled(2.0, 2.5), 5.0)
    x, a = np.ones(3, "float32"), np.float64(2.5)
    if np.__version__.startswith("1"):  # 1e300 would make a float64.
        with pytest.raises(TypeError, match="NumPy before version 2 looks at the value"):
            scaled(x, a)
    else:
        check(scaled(x, a), x * a)


def test_code_that_asks_for_lengths_and_numbers():
    @jit(strict=True)
    def mean(x, shift):
        if shift > 0:
            x = x + shift
        return sum(row for row in x) / len(x)

    for count in (2, 3, 2):
        x = np.arange(3.0 * count).reshape(count, 3)
        check(mean(x, 1.0), (x + 1.0).mean(axis=0))
        check(mean(x, -1.0), x.mean(axis=0))


def test_containers_of_arguments_and_results():
    @jit(strict=True)
    def move(state, by):
        x, y = state["at"]
        return {"at": (x + by, y - by), "names": ["a", None, 3], "all": [x.sum()]}

    at = np.arange(2.0), np.ones((2, 2))
    got = move({"at": at}, np.float64(1))
    assert type(got["at"]) is tuple and type(got["all"]) is list
    check(got["at"][0], at[0] + 1)
    check(got["at"][1], at[1] - 1)
    check(got["all"][0], np.float64(1.0))
    assert got["names"] == ["a", None, 3]


def test_results_without_variables():
    fixed = np.arange(3)
    assert jit(lambda x: None, strict=True)(np.ones(2)) is None
    assert jit(lambda: "text", strict=True)() == "text"
    x = np.ones(2)
    for function in (lambda x: fixed, lambda x: x, lambda x: np.asarray(x)):
        assert jit(function, strict=True)(x) is function(x)


def test_what_does_not_compile_runs_in_python_and_says_so_once():
    @jit
    def values(x):
        return np.linalg.eig(x)[0]

    with pytest.warns(RuntimeWarning) as found:
        for _ in range(3):
            check(values(np.eye(2)), np.ones(2))
    assert [str(w.message) for w in found] == [
        "`values` runs in Python, as it does not compile: numpy.linalg.eig has no Op "
        "that computes it in a graph"]
    assert found[0].filename == __file__
    with pytest.raises(TypeError, match="numpy.linalg.eig has no Op"):
        values.compiled(np.eye(2))
    with pytest.raises(TypeError, match="numpy.linalg.eig has no Op"):
        jit(lambda x: np.linalg.eig(x)[0], strict=True)(np.eye(2))


def test_the_reason_names_arguments():
    @jit
    def filled(x):
        return x * float(x.sum())

    @jit
    def repeated(x, count):
        return sum(x for _ in range(count))

    number = ("is no number before it is computed, as `float`, `range`, `math.sin` or an "
              "item of an array must be; for a graph Clinch has `sin`, `stack` and "
              "others of its own")
    for call, why in ((lambda x: filled(x), f"Reduce{{add, 0}}(x) {number}"),
                      (lambda x: repeated(x, np.int64(2)), f"count {number}")):
        with pytest.warns(RuntimeWarning) as found:
            call(np.ones(2))
        assert [str(w.message).partition(" compile: ")[2] for w in found] == [why]


def _noise(x):
    return np.random.normal(size=len(x))


OWN = np.random.default_rng(1)
DRAWS = {
    "OWN": lambda x, given: x + OWN.normal(size=len(x)),
    "given": lambda x, given: x + given.normal(size=len(x)),
    "numpy.random": lambda x, given: x + _noise(x),
    "legacy": (lambda legacy: lambda x, given: x + legacy.normal(size=len(x)))(
        np.random.RandomState(1))}


@pytest.mark.parametrize("name", DRAWS)
def test_random_numbers_are_drawn_at_each_call(name):
    """They would be constants of the code, so that it runs in Python; what the attempt
    drew is not missing in the sequence."""
    python = DRAWS[name]

    def five(function):
        given = np.random.default_rng(2) if name == "given" else None
        np.random.seed(3)
        OWN.bit_generator.state = np.random.default_rng(1).bit_generator.state
        if name == "legacy":
            python.__closure__[0].cell_contents.seed(4)
        return [function(np.zeros(4), given).tolist() for _ in range(5)]

    with pytest.warns(RuntimeWarning) as found:
        got = five(jit(python))
    assert got == five(python)
    assert [str(w.message).partition(" compile: ")[2] for w in found] == [
        f"{name} would give the same numbers at each call: give random arrays as "
        f"arguments"]


@pytest.mark.parametrize("value, why", [
    (np.array(["a"]), "DTypes|dtype|str"),
    (np.ma.masked_array([1.0]), "a MaskedArray is no array, and no value that can be "
     "known again"),
    ({1, 2}, "a set is no array, and no value that can be known again")])
def test_values_that_no_code_is_for(value, why):
    with pytest.warns(RuntimeWarning, match=why):
        assert jit(lambda x, y: x)(value, np.ones(2)) is value


def test_its_own_errors_come_first():
    @jit
    def positive(x, n):
        if n < 0:
            raise ValueError(f"{n} is below zero")
        return x * n

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="-1 is below zero"):
            positive(np.ones(2), -1)
        check(positive(np.ones(2), 2), np.full(2, 2.0))
        with pytest.raises(TypeError, match="missing 1 required positional"):
            positive(np.ones(2))


def test_many_numbers_are_warned_of():
    @jit
    def shifted(x, n):
        return x + n

    with pytest.warns(RuntimeWarning) as found:
        for n in range(100):
            check(shifted(np.ones(1), n), np.array([1.0 + n]))
    assert [str(w.message) for w in found] == [
        "`shifted` has been compiled 64 times: it is for each number that it is given; "
        "one that varies is better a numpy.float64 or numpy.int64"]


def test_functions_that_call_one_another():
    @jit(strict=True)
    def centred(x, axis=0):
        return x - x.mean(axis=axis, keepdims=True)

    @jit(strict=True)
    def spread(x):
        y = {"at": centred(x, axis=1)}
        return np.sqrt((evaluate("c * c", {"c": y["at"]})).sum())

    x = np.arange(6.0).reshape(2, 3)
    check(spread(x), np.sqrt(((x - x.mean(axis=1, keepdims=True)) ** 2).sum()))
    check(centred(x), x - x.mean(axis=0, keepdims=True))
    assert spread.compiled(x).emit("graph").count("Reduce{") == 2  # One graph.


def test_methods_partials_and_options():
    class Model:
        scale = 3.0

        @jit(mode="fast", strict=True)
        def scaled(self, x):
            return x * self.scale

    model = Model()
    check(model.scaled(np.ones(2)), np.full(2, 3.0))
    assert Model.scaled.compiled(model, np.ones(2)).stats["tier"] == "fast"
    check(jit(functools.partial(operator.add, 1.5))(np.ones(2)), np.full(2, 2.5))


def test_threads_have_functions_of_their_own():
    f = jit(lambda x: x @ x, strict=True)
    x, found = np.eye(200), []

    def work():
        for _ in range(20):
            found.append(f(x).sum())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200.0] * 80


def test_evaluate_takes_the_callers_names():
    x, y, k = np.arange(3.0), np.ones(3), 2.5
    check(evaluate("tanh(x*y) + 1"), np.tanh(x * y) + 1)
    check(evaluate(" x**2 + k "), x**2 + k)
    check(evaluate("where(x > 1, x, -y)"), np.where(x > 1, x, -y))
    check(evaluate("sum(x * y, axis=0)"), (x * y).sum())
    check(evaluate("np.sqrt(x)"), np.sqrt(x))
    check(evaluate("SCALE * x"), SCALE * x)
    check(evaluate("a + b", {"a": x, "b": 1}), x + 1)
    check(evaluate("x + SCALE", global_dict={"SCALE": 1.0}), x + 1.0)
    check(evaluate("k * 2"), 5.0)
    check(evaluate("x * k").astype("float32"), (x * k).astype("float32"))
    x = x.astype("float32")
    check(evaluate("x * k"), (x * np.float32(k)))
    sin = np.cos  # Functions are NumPy's.
    assert sin(0.0) == 1.0
    check(evaluate("sin(y)"), np.sin(y))


SCALE = np.arange(3)


def test_what_evaluate_refuses():
    x = np.ones(2)
    with pytest.raises(NameError) as error:
        evaluate("x + missing")
    assert str(error.value) == "name 'missing' of the expression is not defined"
    with pytest.raises(NameError, match="'open'"):
        evaluate("open('file')")
    with pytest.raises(SyntaxError):
        evaluate("x) + (x")
    with pytest.raises(TypeError, match="numpy.linalg.eig has no Op"):
        evaluate("np.linalg.eig(x)")
    with pytest.raises(ValueError, match="could not be broadcast together"):
        evaluate("x + y", {"x": x, "y": np.ones(3)})


class Loud:
    """Nobody may ask it anything while it only lies among the globals."""

    def __getattr__(self, name):
        raise AssertionError(name)

    @property
    def state(self):
        raise AssertionError("state")


LOUD = Loud()


def test_tracing_runs_no_code_of_globals():
    @jit(strict=True)
    def f(x):
        return x + 1 if LOUD is not None else x

    check(f(np.arange(3.0)), np.arange(3.0) + 1)


def test_generators_in_any_form_are_found():
    for draw in (np.random.default_rng(1), np.random.RandomState(1)):
        normal = draw.normal
        for one in (lambda x: x + draw.normal(), lambda x: x + normal()):
            with pytest.raises(TypeError, match="would give the same numbers at each call"):
                jit(one, strict=True)(np.ones(2))
