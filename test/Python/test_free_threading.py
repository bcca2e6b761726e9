"""Eight threads make, call, upgrade, pickle, copy and drop functions, their own
and each other's; on a free-threaded Python they run at the same time."""

import collections
import copy
import gc
import os
import pickle
import random
import subprocess
import sys
import sysconfig
import threading

import numpy
import pytest

import clinch
from clinch import Mode, double, function, vector
from clinch.testing import TextOp
from ways import CText

FREE = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
THREADS = 8


@pytest.fixture(autouse=True)
def _often():
    """A GIL changes hands as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(work, threads=THREADS):
    """What work(number) returned on each of so many threads."""
    begin, results, failures = threading.Barrier(threads), {}, []

    def run(number):
        try:
            begin.wait(60)
            results[number] = work(number)
        except BaseException as error:
            failures.append(error)
    all_ = [threading.Thread(target=run, args=(n,)) for n in range(threads)]
    for thread in all_:
        thread.start()
    for thread in all_:
        thread.join()
    assert failures == []
    return [results[n] for n in range(threads)]


def line(slope, add, **how):
    x = double("x")
    return function([x], x * slope + add, Mode(**{"tier": "fast", **how}))


def array_line(slope, **how):
    x, y = vector("x"), vector("y")
    return function([x, y], x * slope + y, Mode(**{"tier": "fast", **how}))


def is_busy(error):
    """Whether a call met one that had released the GIL; without a GIL it waits."""
    return (not FREE and isinstance(error, RuntimeError)
            and str(error).startswith("this function is running already"))


@pytest.mark.skipif(not FREE, reason="with a GIL, threads call in turn")
def test_functions_share_no_line_of_the_cache():
    f = line(2, 1.0)
    assert type(f).__basicsize__ % 128 == 0
    assert type(f.thunk).__basicsize__ % 128 == 0
    assert all(len(cell) == 1 and cell.__sizeof__() >= 128
               for cell in f.cells.values())


def test_importing_it_leaves_the_gil_off():
    text = ("import sys, clinch, clinch.tensor; "
            "print(getattr(sys, '_is_gil_enabled', lambda: True)())")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHON_GIL"}
    done = subprocess.run([sys.executable, "-W", "error", "-c", text],
                          env=environment, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (str(not FREE), "")


def test_each_makes_calls_and_drops_its_own():
    def work(number):
        for turn in range(4):
            f = line(number + 0.5, turn * 0.125)
            g = array_line(number + turn / 64)
            for i in range(50):
                assert f(float(i)) == i * (number + 0.5) + turn * 0.125
                assert g([1.0, 2.0], [float(i), 3.0]).tolist() == [
                    number + turn / 64 + i, 2 * (number + turn / 64) + 3]
    at_once(work)


def test_all_make_the_same():
    for turn in range(4):
        made = at_once(lambda number: array_line(turn + 0.375))
        keys = {f.key for f in made}
        assert len(keys) == 1
        at_once(lambda n: [made[n]([1.0], [float(n)])[0] for _ in range(100)]
                == [turn + 0.375 + n] * 100 or pytest.fail("other values"))


@pytest.mark.parametrize("form", ["struct", "function"])
def test_all_call_one_function_of_numbers(form):
    x, y = double("x"), double("y")
    f = function([x, y], [x * y, x - y], mode=Mode(tier="fast", form=form))

    def work(number):
        for i in range(1000):
            assert f(float(number), float(i)) == [number * float(i),
                                                  float(number - i)]
    at_once(work)


@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("linker", ["graph", "op"])
def test_all_call_one_function_of_arrays(form, linker):
    """Each has results of its own, though the function uses storage again."""
    f = array_line(3.0, form=form, linker=linker)

    def work(number):
        kept = []
        for i in range(200):
            made = f(numpy.full(5, float(i)), numpy.full(5, number / 16))
            if i % 3 == 0:
                kept.append((i, made))
        for i, made in kept:
            assert made.tolist() == [3.0 * i + number / 16] * 5
    at_once(work)


def test_arguments_may_be_named_filtered_and_left_out():
    x, y = vector("x"), double("y")
    f = function([x, clinch.In(y, value=0.5)], x * 2.0, mode="fast")

    def work(number):
        for i in range(100):
            assert f([number, i]).tolist() == [2.0 * number, 2.0 * i]
            assert f(y=1.0, x=(number, i)).tolist() == [2.0 * number, 2.0 * i]
            with pytest.raises(TypeError):
                f([1.0], z=2.0)
    at_once(work)


def failing(name):
    """An Op that fails with its name and its argument."""
    return TextOp(f'PyErr_Format(PyExc_ValueError, "{name} %d", (int){{x}}); {{fail}}',
                  double)


def test_each_has_the_error_of_its_own_call():
    x = double("x")
    shared = function([x], failing("shared")(x), mode="fast")

    def work(number):
        own = function([x], failing(f"own{number}")(x), mode="fast")
        for i in range(40):
            for f, name in ((own, f"own{number}"), (shared, "shared")):
                with pytest.raises((ValueError, RuntimeError)) as caught:
                    f(1000.0 * number + i)
                if is_busy(caught.value):
                    continue
                assert str(caught.value) == f"{name} {1000 * number + i}"
                assert "TextOp.c_code" in caught.value.__notes__[0]
    at_once(work)


def test_each_loop_names_the_op_that_failed_in_it():
    x, y = (clinch.tensor.vector(name, dtype="int64") for name in "xy")
    names = ("int_div", "mod")
    made = [function([x, y], getattr(clinch.tensor, name)(x, y), mode="fast")
            for name in names]
    own = [copy.copy(made[n % 2]) for n in range(THREADS)]

    def work(number):
        bad = numpy.array([1] * number + [0])
        for _ in range(50):
            with pytest.raises(ZeroDivisionError) as caught:
                own[number](bad, bad)
            assert caught.value.__notes__[0] == (
                f"Clinch: `{names[number % 2]}` failed at index ({number},).")
    at_once(work)


@pytest.fixture
def _cold():
    before, clinch.config.cache = clinch.config.cache, False
    yield
    clinch.config.cache = before


def code_of(f):
    return f.stats["code"]


@pytest.mark.parametrize("make", [
    lambda n: line(2.0, n, tier="max", first_tier="fast"),
    lambda n: array_line(n, tier="max", first_tier="fast")])
def test_copies_go_over_to_better_code_at_once(_cold, make):
    """They share what is to come, and each takes it for itself."""
    for turn in range(3):
        f = make(1.0 + turn / 32)
        own = [f, *(copy.copy(f) for _ in range(THREADS - 1))]
        arguments = [1.0] * len(f.inputs)
        if len(arguments) == 2:
            arguments = [numpy.ones(3)] * 2
        expected = numpy.asarray(f(*arguments)).tolist()

        def work(number):
            for i in range(100):
                assert numpy.asarray(
                    own[number](*arguments)).tolist() == expected
                if i == 5 * number:
                    assert own[number].wait()
            assert code_of(own[number]) == "max"
            assert numpy.asarray(own[number](*arguments)).tolist() == expected
        at_once(work)


def test_one_function_is_upgraded_while_all_call_it(_cold):
    f = line(3.0, 0.25, tier="max", first_tier="fast")

    def work(number):
        for i in range(500):
            assert f(float(i)) == 3.0 * i + 0.25
            if i == 100 + number:
                assert f.wait()
        return code_of(f)
    assert at_once(work) == ["max"] * THREADS


def test_all_are_told_that_there_is_no_better_code(_cold, tmp_path):
    header = tmp_path / "there.h"
    header.touch()
    x = double("x")
    f = function([x], CText(f"#include \"{header}\"\nz = x + 1;")(x),
                 mode=Mode(tier="max", first_tier="fast"))
    own = [copy.copy(f) for _ in range(THREADS)]
    header.write_text("#error gone")

    def work(number):
        with pytest.raises(clinch.CompileError):
            own[number].wait()
        return own[number](1.0), code_of(own[number])
    assert at_once(work) == [(2.0, "fast; max failed")] * THREADS


def test_all_pickle_and_copy_one_function():
    f = array_line(1.75)

    def work(number):
        for i in range(10):
            for g in (pickle.loads(pickle.dumps(f)), copy.copy(f)):
                assert g([2.0], [float(number)]).tolist() == [3.5 + number]
                assert f([2.0], [float(i)]).tolist() == [3.5 + i]
    at_once(work)


def cyclic(slope):
    """A function that only the collector frees: a default of it holds it."""
    x, y, holder = vector("x"), vector("y"), []
    f = function([x, y, clinch.In(clinch.generic("h"), value=holder)],
                 x * slope + y, mode="fast")
    holder.append(f)
    return f


def test_functions_are_dropped_by_others():
    """One thread makes and calls what another drops."""
    passed = collections.deque()
    for n in range(16):
        f = array_line(n / 8)
        passed.append((f, f([1.0], [2.0]), n / 8 + 2.0))

    def work(number):
        for i in range(75):
            if number == 0:
                gc.collect()
            try:
                f, result, expected = passed.popleft()
            except IndexError:
                continue
            assert result.tolist() == [expected]
            if i % 5 < 2:
                f = (array_line, cyclic)[i % 5](number + i / 256)
                expected = number + i / 256 + 2.0
            elif i % 5 == 2:
                f = copy.copy(f)
            passed.append((f, f([1.0], [2.0]), expected))
    at_once(work)


#: Is long at it, and gives the GIL away where there is one.
slow = TextOp("usleep(2000); {z} = {x} * 2;", double, headers=['<unistd.h>'],
              nogil=True)


def test_a_call_waits_for_one_that_gave_way():
    x = double("x")
    f = function([x], slow(x), mode="fast")

    def work(number):
        for i in range(5):
            try:
                assert f(float(i)) == 2.0 * i
            except RuntimeError as error:
                assert is_busy(error)
    at_once(work, 3)


def test_everything_at_once(_cold):
    shared = [line(1.0, 0.5), array_line(1.0)]

    def check(f, a, b=None):
        if len(f.inputs) == 1:
            assert f(a) == a + 0.5
        else:
            assert f([a, b], [b, a]).tolist() == [a + b, a + b]

    def work(number):
        rng = random.Random(number)
        mine = list(shared)
        for i in range(40):
            what, f = rng.randrange(8), rng.choice(mine)
            if what == 0:
                mine.append(line(1.0, 0.5, first_tier="fast", tier="default"))
            elif what == 1:
                mine.append(array_line(1.0, first_tier="fast", tier="default"))
            elif what == 2:
                mine.append(copy.copy(f))
            elif what == 3:
                mine.append(pickle.loads(pickle.dumps(f)))
            elif what == 4:
                f.wait(timeout=rng.choice([0, 0.01, 60]))
            elif what == 5 and len(mine) > 2:
                mine.pop(rng.randrange(len(mine)))
            elif what == 6:
                shared[0].emit("c"), f.stats, f.key, f.tasks, f.cells
            elif number == 0:
                gc.collect()
            for _ in range(20):
                check(rng.choice(mine), float(i), float(number))
    at_once(work)
