"""What the tests of whose code a text sees have in common."""

import pytest

import clinch
from clinch import RuleError, double

#: Where Ops meet, and where each is alone. What is refused is refused before
#: anything is optimised.
TOGETHER = [("struct", "graph", "fast", None), ("function", "graph", "max", None),
            ("struct", "graph", "default", "fast")]
ALONE = [("struct", "op", "default", None), ("function", "op", "fast", None)]
SUPPORT = "`CText.c_support_code`"


def each_of(some):
    return pytest.mark.parametrize(
        ("form", "linker", "tier", "first_tier"), some,
        ids=["-".join(filter(None, way)) for way in some])


in_c_and_cxx = pytest.mark.parametrize("language", ["c", "c++"])


def not_seen(name, whose=SUPPORT):
    return (f"`{name}` is of {whose}, which this text cannot use: an Op can use "
            "its own support code and that of the Types of its inputs, outputs "
            "and parameters, a Type its own and functions that each Op of "
            "the variable has; define what it needs there, "
            "under a name that no other text uses")


def refusal(output, inputs=None, **how):
    """The first thing that is wrong with it."""
    x = double("x")
    with pytest.raises(RuleError) as raised:
        clinch.function(inputs or [x], output if inputs else output(x), **how)
    return raised.value.diagnostics[0]


def expect(found, hook, line, column, message):
    assert found["origin"].startswith(hook)
    assert (found["line"], found["column"]) == (line, column)
    assert found["message"] == message
