"""Functions copied, pickled, and loaded where nobody knows their author."""

import copy
import os
import pickle
import subprocess
import sys
import textwrap

import numpy
import pytest

import clinch
from clinch import (Apply, COp, In, Mode, TensorType, double, function)
from clinch.build import pickling
from clinch.source import portable
from theano_ops import VectorTimesScalar

vector = TensorType("float64", (None,))
scalar = TensorType("float64", ())


class Wrong(COp):
    """Says one thing in C and another in Python."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} + 2;"

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] + 1


def example(**options):
    x, y = vector("x"), scalar("y")
    return function([x, y], VectorTimesScalar()(x, y), Mode(**options))


def test_a_copy_has_a_state_of_its_own():
    f = example()
    g = copy.copy(f)
    a, b = f(numpy.arange(3.0), 2.0), g(numpy.arange(3.0), 3.0)
    assert a.tolist() == [0.0, 2.0, 4.0] and b.tolist() == [0.0, 3.0, 6.0]
    assert g.key == f.key and g.thunk is not f.thunk
    assert copy.deepcopy(f)(numpy.ones(1), 5.0).tolist() == [5.0]


@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("form", ["struct", "function"])
def test_a_pickle_is_the_function_again(linker, form):
    f = example(linker=linker, form=form)
    g = pickle.loads(pickle.dumps(f))
    assert g.key == f.key
    assert g(numpy.arange(3.0), 2.0).tolist() == [0.0, 2.0, 4.0]
    assert [v.name for v in g.inputs] == ["x", "y"]


def test_defaults_names_and_trust_travel():
    x, y = double("x"), double("y")
    f = function([x, In(y, value=10.0)], x + y, name="plus",
                 trust_input=True)
    g = pickle.loads(pickle.dumps(f))
    assert (g(1.0), g(1.0, 2.0), g(x=3.0)) == (11.0, 3.0, 13.0)
    assert g.__name__ == "plus" and g.trust_input


def in_another_process(code, data, folders):
    script = textwrap.dedent(code)
    path = os.pathsep.join(folders)
    environment = dict(os.environ, PYTHONPATH=path)
    done = subprocess.run([sys.executable, "-c", script], input=data,
                          capture_output=True, env=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


LOAD = """
    import pickle, sys
    import numpy
    f = pickle.load(sys.stdin.buffer)
    print(f(numpy.arange(3.0), 2.0).tolist(), f.key)
    try:
        f("no array", 2.0)
    except Exception as error:
        print(type(error).__name__)
    maps = open("/proc/self/maps").read()
    print("engine" if "libclinch-engine" in maps else "no engine")
"""


def test_another_process_knows_the_author():
    f = example()
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    status, out, error = in_another_process(
        LOAD, pickle.dumps(f), [package, os.path.dirname(__file__)])
    assert status == 0, error
    assert out.splitlines()[:2] == [f"[0.0, 2.0, 4.0] {f.key}", "TypeError"]


def test_a_process_without_the_author_needs_one_piece():
    f = example(linker="op")
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    status, _, error = in_another_process(LOAD, pickle.dumps(f), [package])
    assert status == 1
    assert "ModuleNotFoundError: No module named 'theano_ops'" in error


@pytest.mark.parametrize("with_object", [False, True])
def test_the_object_is_enough(with_object):
    f = example()
    data = pickle.dumps(f.with_object() if with_object else f)
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    status, out, error = in_another_process(LOAD, data, [package])
    assert status == 0, error
    assert out.splitlines() == [f"[0.0, 2.0, 4.0] {f.key}", "TypeError",
                                "no engine"]


def test_machine_code_that_was_damaged_is_not_run(monkeypatch):
    for name in ("programs", "_requests"):  # As in a process that has none.
        monkeypatch.setattr(pickling, name, portable.RecentlyUsed())
    f = example()
    packed = f.__reduce__()[1][2]["packed"]
    data = pickle.dumps(f)
    code = data.index(packed)
    for place in (code, code + len(packed) // 2, code + len(packed) - 1):
        damaged = bytearray(data)
        damaged[place] ^= 1
        with pytest.raises(pickle.UnpicklingError,
                           match="was damaged on its way"):
            pickle.loads(bytes(damaged))


def test_what_is_loaded_without_its_author_travels_on():
    code = """
    import copy, pickle, sys
    import numpy
    f = pickle.load(sys.stdin.buffer)
    for g in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f)),
              pickle.loads(pickle.dumps(f.with_object()))):
        assert g is not f and g.key == f.key and g.thunk is not f.thunk
        assert g(numpy.arange(3.0), 2.0).tolist() == [0.0, 2.0, 4.0]
        assert g.trust_input == f.trust_input
    try:
        f.emit("c")
    except RuntimeError as error:
        print(error)
    """
    data = pickle.dumps(example().with_object())
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    status, out, error = in_another_process(code, data, [package])
    assert (status, error) == (0, "")
    assert out == ("this function was loaded without its graph: No module "
                   "named 'theano_ops'\n")


@pytest.mark.parametrize("again", [
    copy.copy, copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f)),
    lambda f: f.copy()])
def test_mode_and_trust_are_kept(again):
    x = double("x")
    f = function([x], Wrong()(x), mode="DebugMode", trust_input=True)
    made = again(f)
    assert made.trust_input and made.details.debugs
    with pytest.raises(clinch.DebugModeError, match="output 0 is 3.0, and"):
        made(1.0)
    plain = again(function([x], Wrong()(x)))
    assert plain(1.0) == 3.0 and not plain.trust_input


def test_debug_mode_has_no_object():
    x = double("x")
    with pytest.raises(TypeError, match="only a function in one piece"):
        pickle.dumps(function([x], Wrong()(x), mode="DebugMode").with_object())


def test_with_the_object_here_is_the_function_again():
    x, y = double("x"), double("y")
    f = function([x, y], [x + 2.5 * y, x])
    g = pickle.loads(pickle.dumps(f.with_object()))
    assert g(1.0, 2.0) == [6.0, 1.0] and g.stats["cache_from"] == "memory"


def test_apply_by_apply_has_no_object():
    with pytest.raises(TypeError, match="only a function in one piece"):
        pickle.dumps(example(linker="op").with_object())
