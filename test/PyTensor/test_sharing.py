"""What many functions say alike is compiled once for all of them."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytensor.tensor as pt
import pytest
from pytensor.graph.basic import Apply, Variable
from pytensor.link.c.op import COp
from pytensor.link.c.type import CType

import clinch
import pytensor
from clinch.pytensor import settle


@pytest.fixture(autouse=True)
def _cold():
    clinch.cache_clear()


def function(inputs, output):
    return pytensor.function(inputs, output, mode="CLINCH", trust_input=True)


def alone(script, folder):
    """What a script prints in a process where nothing else is compiled."""
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "CLINCH_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


ALONE = """
import clinch.pytensor
import clinch, numpy as np, pytensor, pytensor.tensor as pt
x, y = pt.dvectors("x", "y")
v = np.arange(3.0)
compiles = lambda: clinch.cache_info()["compiles"]
first = pytensor.function([x, y], (x + y) * y, mode="CLINCH")
before = compiles()
second = pytensor.function([x, y], (x - y) * y, mode="CLINCH")
print(before, compiles() - before, first(v, v), second(v, v + 1))
"""


def test_a_function_of_known_types_is_one_compile(tmp_path):
    # What all need, an input, an output, what comes before a loop over three,
    # and that loop.
    assert alone(ALONE, tmp_path) == "5 1 [0. 2. 8.] [-1. -2. -3.]\n"


def test_shared_functions_outlive_who_brought_them():
    x, y = pt.dvectors("x", "y")
    v = np.arange(3.0)
    first = function([x, y], x * y + 1)
    second = function([x, y], x * y + 2)
    del first
    gc.collect()
    clinch.cache_clear()
    third = function([x, y], x * y + 3)
    np.testing.assert_array_equal(second(v, v), v * v + 2)
    np.testing.assert_array_equal(third(v, v), v * v + 3)


GIVEN_BACK = """
import clinch.pytensor
import clinch, gc, pytensor, pytensor.tensor as pt
x = pt.dvector("x")

def live():
    gc.collect()
    clinch.cache_clear()
    return clinch.cache_info()["live_modules"]

made = [pytensor.function([x], x * n + n, mode="CLINCH") for n in range(2, 6)]
while_there = live()
del made
print(while_there, live())
"""


def test_live_code_is_given_back(tmp_path):
    # Four loops, and the four functions that they share.
    assert alone(GIVEN_BACK, tmp_path) == "8 0\n"


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (None, ValueError, "expected an ndarray, not None"),
        ([1.0], ValueError, "expected an ndarray"),
        (
            np.zeros(3, "float32"),
            TypeError,
            "expected type_num 12 (NPY_FLOAT64) got 11",
        ),
    ],
)
def test_a_shared_hook_fails_for_its_variable(value, error, message, settled):
    x, y = pt.dvectors("x", "y")
    f = function([x, y], x * y - x)
    good = np.ones(3)
    if settled:
        f(good, good)
        settle()
    for values, name in (([value, good], "x"), ([good, value], "y")):
        with pytest.raises(error) as raised:
            f(*values)
        assert str(raised.value).split("\n", 1)[0] == message
        notes = "\n".join(raised.value.__notes__)
        assert f"`TensorType.c_extract` for `{name}`" in notes
    np.testing.assert_array_equal(f(good, good), np.zeros(3))


class Number(CType):
    """A Python float; the one given is not taken."""

    def __init__(self, refused):
        self.refused = refused

    def __eq__(self, other):
        return type(self) is type(other) and self.refused == other.refused

    def __hash__(self):
        return hash(self.refused)

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True, **kwargs):
        return f"""
        {name} = PyFloat_AsDouble(py_{name}); // The value of {name}.
        if ({name} == -1 && PyErr_Occurred())
          {sub["fail"]}
        if ({name} == {self.refused})
          throw std::invalid_argument("it is the one that is not taken");
        """

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"

    def c_cleanup(self, name, sub):
        return f"{name} = 0;"

    def c_headers(self, **kwargs):
        return ["<stdexcept>"]

    def c_code_cache_version(self):
        return (1,)


class Sum(COp):
    """Of two Numbers."""

    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} + {inputs[1]};"

    def c_code_cache_version(self):
        return (1,)

    def perform(self, node, inputs, outputs):
        raise AssertionError("perform must not run")


def test_an_exception_in_a_shared_hook_names_its_variable():
    number = Number(7.0)
    x, y = (Variable(number, None, name=name) for name in "xy")
    f = function([x, y], Sum()(x, y))
    assert f(1.0, 2.0) == 3.0
    for values, name in (([7.0, 1.0], "x"), ([1.0, 7.0], "y")):
        with pytest.raises(RuntimeError) as raised:
            f(*values)
        assert str(raised.value).split("\n", 1)[0] == (
            f"`Number.c_extract` for `{name}` threw `std::invalid_argument`: "
            "it is the one that is not taken"
        )
    assert f(2.0, 2.0) == 4.0


def test_a_bad_hook_is_named_as_without_sharing():
    class Bad(Number):
        def c_extract(self, name, sub, check_input=True, **kwargs):
            return super().c_extract(name, sub) + f"{name} = no_such_thing;\n"

    number = Bad(7.0)
    x, y = (Variable(number, None, name=name) for name in "xy")
    with pytest.raises(clinch.CompileError) as raised:
        function([x, y], Sum()(x, y))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic["origin"] == "`Bad.c_extract` for `x`"
    assert "no_such_thing" in diagnostic["message"]


@pytest.mark.parametrize("length", [20, 150])  # The whole text is cut at 200 blocks.
def test_applies_that_say_the_same_are_shared(length):
    """A 0-d chain: each sum and each product has the text of all others."""
    x, y = pt.dscalars("x", "y")
    value, expected = x, 1.5
    for n in range(length):
        value, expected = (
            (value + y, expected + 0.5) if n % 2 else (value * y, expected * 0.5)
        )
    f = pytensor.function(
        [x, y],
        value,
        mode=pytensor.compile.mode.Mode("clinch", None),
        trust_input=True,
    )
    first = f(np.array(1.5), np.array(0.5))
    assert first == expected
    settle()
    assert f(np.array(1.5), np.array(0.5)).tobytes() == first.tobytes()
