"""A quick first code, and the code that was asked for behind it."""

import os
import subprocess
import sys
import time

import numpy as np
import pytensor.tensor as pt
import pytest
from conftest import same_bits
from ops import CText

import clinch
import clinch.pytensor
import pytensor
from clinch.pytensor import options, wait

X, Y, Z = pt.dvectors("x", "y", "z")
SIZES = (1, 2, 3, 5, 8, 13, 31, 64, 100)


@pytest.fixture(autouse=True)
def _cold():
    clinch.cache_clear()


def function(output):
    return pytensor.function([X, Y, Z], output, mode="CLINCH")


def codes(f):
    """Which code each piece of a function runs."""
    return [step.thunk.run.code for step in f.vm.steps]


FIRST, LAST = ["fast; max is to come"], ["max"]


def inputs():
    """Values of many lengths, one after the other and with gaps."""
    random = np.random.default_rng(3)
    for size in SIZES:
        for stride in (1, 2):
            yield [random.uniform(0.1, 3, stride * size)[::stride] for _ in "xyz"]


BOTH = {
    "sum and product": (X + Y) * Z,
    "product and sum": X * Y + Z,
    "difference from a product": Z - X * Y,
    "product less a number": X * Y - Z,
    "negative product and sum": Z + -(X * Y),
    "two products": X * Y + Y * Z,
    "a product used twice": pt.stack([X * Y + Z, X * Y - Z]),
    "a square": X * X + Y * Y,
    "exp and tanh": pt.tanh(X * Y + pt.exp(-Z)),
    "sigmoid": pt.sigmoid(X) * Y,
    "sqrt": pt.sqrt(X) * Y - Z,
    "reductions": (X * Y + Z).sum() + pt.dot(X, Y),
}


@pytest.mark.parametrize("name", BOTH)
def test_both_codes_give_the_same_bits(name):
    f = function(BOTH[name])
    assert codes(f) == FIRST
    before = [np.array(f(*values)) for values in inputs()]
    assert wait()
    assert codes(f) == LAST
    after = [np.array(f(*values)) for values in inputs()]
    for left, right in zip(before, after, strict=True):
        assert same_bits(left, right)


def test_where_no_vectors_are_wanted_libm_computes_both():
    given, options.tier = options.tier, "default"
    try:
        f = function(pt.log(X) + pt.tanh(Y))
        assert codes(f) == ["fast; default is to come"]
        before = [np.array(f(*values)) for values in inputs()]
        wait()
        assert codes(f) == ["default"]
        for left, values in zip(before, inputs(), strict=True):
            assert same_bits(left, f(*values))
    finally:
        options.tier = given


def test_without_a_first_tier():
    given, options.first_tier = options.first_tier, None
    try:
        assert codes(function((X + Y) * Z)) == LAST
    finally:
        options.first_tier = given


@pytest.mark.parametrize(
    "name, value, error, message",
    [
        (
            "tyer",
            "fast",
            AttributeError,
            "clinch.pytensor.options has no `tyer`; did you mean `tier`?",
        ),
        (
            "tier",
            "fest",
            ValueError,
            "clinch.pytensor.options.tier is one of 'fast', 'default', 'max'; 'fest' is "
            "none of them",
        ),
        (
            "tier",
            None,
            ValueError,
            "clinch.pytensor.options.tier is one of 'fast', 'default', 'max'; None is "
            "none of them",
        ),
        (
            "native_ops",
            "no",
            ValueError,
            "clinch.pytensor.options.native_ops is one of True, False; 'no' is none of "
            "them",
        ),
    ],
)
def test_an_option_that_there_is_not_is_refused_at_once(name, value, error, message):
    before = dict(vars(options))
    with pytest.raises(error) as raised:
        setattr(options, name, value)
    assert str(raised.value) == message
    assert vars(options) == before


def until_taken(f, values):
    """Calls until the better code has come; true if it came in two minutes."""
    end = time.monotonic() + 120
    while codes(f) != LAST and time.monotonic() < end:
        f(*values)
        time.sleep(0.001)
    return codes(f) == LAST


def test_called_twice_gets_it_from_behind():
    f = function((X + Y) * Z)
    values = next(inputs())
    expected = f(*values)
    assert until_taken(f, values)
    assert same_bits(f(*values), expected)


def test_what_is_cached_is_taken_at_once():
    f = function((X - Y) * Z)
    wait()
    assert codes(function((X - Y) * Z)) == LAST
    del f


def test_a_child_of_fork_compiles_for_itself():
    f = function((X + Y) / Z)
    values = next(inputs())
    f(*values), f(*values)
    child = os.fork()
    if not child:
        os._exit(0 if until_taken(f, values) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_failures_name_the_apply_after_the_change():
    f = function((X + Y) * Z)
    short, long = np.ones(2), np.ones(3)
    for _ in range(2):
        with pytest.raises(ValueError, match="Input dimension mismatch") as caught:
            f(short, long, long)
        notes = "\n".join(caught.value.__notes__)
        assert "`Elemwise.c_code`" in notes
        wait()
    assert same_bits(f(long, long, long), 2 * long)


def scalar(op):
    x = pt.dscalar("x")
    return pytensor.function([x], op(x), mode="CLINCH")


def test_the_structs_memory_is_handed_over():
    """What c_init_code_struct has set is there for both codes."""

    class Counted(CText):
        def c_support_code_struct(self, node, name):
            return f"double count_{name};"

        def c_init_code_struct(self, node, name, sub):
            return f"this->count_{name} = 40;"

        def c_code(self, node, name, inputs, outputs, sub):
            text = super().c_code(node, name, inputs, outputs, sub)
            return text.replace("COUNT", f"this->count_{name}")

    f = scalar(Counted("z = ++COUNT;"))
    assert codes(f) == FIRST
    assert float(f(0.0)) == 41
    wait()
    assert codes(f) == LAST
    assert float(f(0.0)) == 42


def test_code_with_variables_has_no_first_code():
    f = scalar(CText("static int n = 0; z = ++n;"))
    assert codes(f) == LAST
    assert [float(f(0.0)) for _ in range(3)] == [1, 2, 3]


# What an author may write, and what it gives for 1.
HOSTILE = {
    "decltype(x) t = x; t += 1; z = x;": 1,
    "long n = 3, *p = &(n); z = 0; for (long i = 0; i < n; ++i) z += *p + x;": 12,
    "for (npy_intp i = 0; i < 3; i++) { double x2 = x; x2 += 1; z = x; }": 1,
}


@pytest.mark.parametrize("text", HOSTILE)
def test_an_authors_text_is_not_rewritten(text):
    f = scalar(CText(text))
    assert codes(f) == FIRST
    assert float(f(1.0)) == HOSTILE[text]
    wait()
    assert codes(f) == LAST
    assert float(f(1.0)) == HOSTILE[text]


def test_macros_of_another_op_are_shared():
    hundred = CText("z = x + STEP;", support="#define STEP 100\n")
    one = CText("z = x + STEP;", support="#ifndef STEP\n#define STEP 1\n#endif\n")
    for graph, value in ((lambda x: one(hundred(x)), 200), (one, 1)):
        made = scalar(graph)
        assert codes(made) == FIRST
        assert float(made(0.0)) == value
        wait()
        assert float(made(0.0)) == value


def test_two_helpers_of_one_name_are_an_error_at_once():
    helper = "static double helper(double x) { return x + %s; }\n"
    first = CText("z = helper(x);", support=helper % 1)
    other = CText("z = 3 * helper(x);", support=helper % 2)
    with pytest.raises(clinch.CompileError, match="redefinition of 'helper'"):
        scalar(lambda x: other(first(x)))


SCRIPT = """
import clinch.pytensor, clinch, pytensor, pytensor.tensor as pt
import numpy as np
clinch.cache_clear()
x = pt.dvector("x")
for n in range(4):
    f = pytensor.function([x], (x + n) * x - n, mode="CLINCH")
    f(np.ones(3)), f(np.ones(3))
    {after}
print("end")
"""


@pytest.mark.parametrize("after", ("pass", "del f"))
def test_an_interpreter_may_end_meanwhile(after, tmp_path):
    script = SCRIPT.format(after=after)
    environment = dict(os.environ, CLINCH_CACHE_DIR=str(tmp_path))
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "end\n", "")
