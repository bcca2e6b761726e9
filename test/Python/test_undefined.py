"""What ISO C leaves undefined is the same in every tier, in an Op's own code."""

import os
import signal
import sys

import pytest

from clinch import Apply, COp, Mode, double, function

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "Fuzz"))
from apart import in_turn  # noqa: E402

WAYS = [(tier, language) for tier in ("fast", "default", "max")
        for language in ("c", "c++")]


class Written(COp):
    __props__ = ("text", "forbidden")

    def __init__(self, text, *forbidden):
        self.text, self.forbidden = text, forbidden

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.text.replace("x", inputs[0]).replace("z", outputs[0])

    def c_no_compile_args(self, c_compiler=None):
        return list(self.forbidden)

    def c_code_cache_version(self):
        return (1,)


def outcomes(text):
    """The set of values and signals, over all tiers, languages and linkers."""
    calls = []
    for linker in ("graph", "op"):
        for tier, language in WAYS:
            x = double("x")
            f = function([x], Written(text)(x),
                         mode=Mode(tier=tier, language=language, linker=linker))
            calls.append(lambda f=f: f(1.5))
    return {value if value is not None else os.WTERMSIG(status)
            for value, status in in_turn(calls, 0.2)}


@pytest.mark.parametrize("text, outcome", [
    ("double *p = NULL; z = *p;", signal.SIGSEGV),
    ("double *p = NULL; *p = x; z = 1;", signal.SIGSEGV),
    ("double d = x, *p = &d; if (x > 1) p = NULL; z = *p; if (!p) z += 7;",
     signal.SIGSEGV),
    ("int i = 2147483647; i += (int)x; z = i;", -2147483648.0),
    ("int i = 2147483647; if (i + (int)x > i) z = 1; else z = 2;", 2.0),
    ("long n = 1; while (n) n ^= 2; z = 3;", signal.SIGPROF),
    ("double t[3]; int i; z = t[1] + i;", 0.0),
])
def test_one_meaning(text, outcome):
    assert outcomes(text) == {outcome}


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("flag, text, sign, with_it", [
    ("-fno-delete-null-pointer-checks", "z = x;", "null_pointer_is_valid",
     True),
    ("-fwrapv", "int i = (int)x; z = i + 1;", "add nsw i32", False),
    ("-fwrapv-pointer", "volatile double t = x; z = *(&t + (int)x);",
     "getelementptr inbounds double", False),
    ("-fno-finite-loops", "double t = x; while (t > 0) t -= 1; z = t;",
     "mustprogress", False),
    ("-ftrivial-auto-var-init=zero", "double t[4]; z = t[(int)x];", "memset",
     True),
])
def test_an_author_may_take_each_away(language, flag, text, sign, with_it):
    def found(*forbidden):
        x = double("x")
        f = function([x], Written(text, *forbidden)(x), mode=Mode(language=language))
        return sign in f.emit("llvm")

    assert (found(), found(flag)) == (with_it, not with_it)
