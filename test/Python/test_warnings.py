"""What Clang finds doubtful in an author's text is in f.stats["warnings"]."""

import pytest

import clinch
from clinch import double, function
from ways import TIERS, CText

DOUBTFUL = [
    ("double t;\nz = x + t;", 2, "variable 't' is uninitialized when used here"),
    ("double t;\nif (x > 5) t = 1;\nz = x + t;", 2,
     "variable 't' is used uninitialized whenever 'if' condition is false"),
    ('char b[9];\nsprintf(b, "%d", 1.0);\nz = b[0];', 2,
     "format specifies type 'int' but the argument has type 'double'"),
    ("double t[2];\nt[2] = x;\nz = t[0] = 1;", 2,
     "array index 2 is past the end of the array (that has type 'double[2]')"),
    ("z = x;\nz == 3;", 2, "equality comparison result unused"),
]


def warned(f):
    return [(w["origin"], w["message"]) for w in f.stats["warnings"]]


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("text", "line", "message"), DOUBTFUL)
def test_it_is_told_with_hook_and_line(text, line, message, tier, language):
    x = double("x")
    f = function([x], CText(text)(x), tier=tier, language=language)
    assert warned(f) == [("`CText.c_code` for `node_3`", message)]
    # Behind the three `#define`s that such an Op begins with.
    assert f.stats["warnings"][0]["line"] == line + 3


def test_a_flag_turns_it_off():
    class Quiet(CText):
        def c_compile_args(self):
            return ["-Wno-uninitialized"]
    x = double("x")
    assert not warned(function([x], Quiet(DOUBTFUL[0][0])(x)))
    assert warned(function([x], CText(DOUBTFUL[0][0])(x)))


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
def test_what_clinch_writes_gives_none(form, language):
    x, y = double("x"), double("y")
    terms = [getattr(clinch, name)(x, y) for name in
             ("add", "sub", "mul", "true_div", "mod", "pow", "maximum", "lt")]
    terms += [getattr(clinch, name)(x) for name in
              ("exp", "log", "sin", "tanh", "gamma", "neg", "sqr", "floor")]
    v = clinch.TensorType("float64", (None,))("v")
    terms += [(v + v * x).sum(), clinch.tanh(v), v[1:]]
    f = function([x, y, v], terms, form=form, language=language)
    assert warned(f) == []
