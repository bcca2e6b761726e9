"""A graph has one text: its author's, with one meaning in every way."""

import ctypes
import gc
import sys

import pytest

import clinch
from clinch import Mode, RuleError, double, function
from clinch.testing import Number
from thunks import Raw
from ways import CText, in_every_way, results

TEXTS = {
    "a copy of the value": "__typeof__(x) t = x; t += 1; z = x + 0 * t;",
    "a pointer to a count": """
        long n = 3, *p = &(n);
        z = 0;
        for (long i = 0; i < n; ++i) { z += x * *p; n = 3; }""",
    "a name in a string": """
        const char *s = "node x V1 z";
        z = x; while (*s) z += *s++ == 'V';""",
    "a macro of the value": """
        #define TWICE(v) ((v) + (v))
        z = TWICE(x);
        #undef TWICE""",
    "a label of its own": """
        { __label__ again; z = x; again: if (z < 50) { z += 10; goto again; } }""",
    "an inner variable": "z = x; { double W1 = 5; z += W1; }",
    "a loop that declares": "z = 0; for (int i = 0, n = 4; i < n; ++i) z += x;",
}
EXPECTED = {
    "a copy of the value": 2.5,
    "a pointer to a count": 22.5,
    "a name in a string": 3.5,
    "a macro of the value": 5.0,
    "a label of its own": 52.5,
    "an inner variable": 7.5,
    "a loop that declares": 10.0,
}


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("name", TEXTS)
@in_every_way
def test_a_text_means_what_it_says(name, language, form, linker, tier,
                                   first_tier):
    x = double("x")
    op = CText(TEXTS[name])
    values = results([x], op(x), [2.5], form=form, linker=linker, tier=tier,
                     first_tier=first_tier, language=language)
    assert values == [EXPECTED[name]] * 3


# `x` is a variable in one form, and in others a macro or a member.
RENAMED_IN_C = ["{ double x = 3; (void)x; } z = x;",
                "struct { double x; } s = {1}; z = s.x;",
                "goto x; x: z = x;",
                "for (int x = 0; x < 3; ++x) ; z = x;",
                "{ typedef int x; } z = x;",
                "{ enum { x = 3 }; } z = x;",
                "double t = x; __asm__ (\"\" : [x] \"+x\"(t)); z = t;"]


@pytest.mark.parametrize("text", RENAMED_IN_C)
@in_every_way
def test_a_name_means_its_variable(text, form, linker, tier, first_tier):
    x = double("x")
    with pytest.raises(RuleError) as refused:
        results([x], CText(text)(x + x), [1.0], form=form, linker=linker,
                tier=tier, first_tier=first_tier, language="c")
    found = refused.value.diagnostics[0]
    assert found["origin"].startswith("`CText.c_code` for ")
    assert found["line"] == 4
    assert found["message"].startswith("the name `V")


# What z is if x is 2: a copy is of the z before the call.
CAPTURED = {
    "z = 1; auto f = [=] { return x + z; }; z = 10; z = f();": 3.0,
    "z = 1; auto f = [x, z] { return x + z; }; z = 10; z = f();": 3.0,
    "z = 1; auto f = [=, &z] { return x + z; }; z = 10; z = f();": 12.0,
    "z = 1; auto f = [&] { return x + z; }; z = 10; z = f();": 12.0,
    "z = 1; auto f = [&x, &z] { return z += x; }; z = 10; f();": 12.0,
    "z = x; z = [=](auto a) { decltype(x) t = x; t += a; return t + x; }(1);": 5.0,
    "#define TWICE(v) [=] { return v + v; }()\nz = TWICE(x);": 4.0,
}


class Plain(Number):
    """Not simple, so the struct keeps a temporary of it."""

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"


class TwoNames(Plain):
    def c_declare(self, name, sub, check_input=True):
        return f"double {name}; double *{name}_at;"


@pytest.mark.parametrize("text", CAPTURED)
@pytest.mark.parametrize("type", [double, Plain(), TwoNames()],
                         ids=["simple", "kept", "two"])
@in_every_way
def test_a_lambda_captures_a_value(text, type, form, linker, tier, first_tier):
    x = type("x")
    op, half = CText(text), CText("z = x / 2;")
    assert results([x], half(op(half(x))), [4.0], form=form, linker=linker,
                   tier=tier, first_tier=first_tier,
                   language="c++") == [CAPTURED[text] / 2] * 3


@pytest.mark.parametrize("text", CAPTURED)
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("type", [double, Plain()], ids=["simple", "kept"])
def test_a_lambda_captures_where_a_text_is_split(text, form, type):
    x = type("x")
    z = CText("z = x;")(CText(text)(CText("z = x;")(x)))
    run = Raw([x], [z], language="c++", form=form, tier="fast", split_above=2,
              chunk_size=2)
    assert [run(2.0), run(2.0)] == [[CAPTURED[text]]] * 2


class Object(Plain):
    """An object of C++."""

    def c_declare(self, name, sub, check_input=True):
        return (f"struct number_{name} {{ double is = 0; "
                f"operator double &() {{ return is; }} }} {name};")

    def c_init(self, name, sub):
        return f"{name}.is = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name}.is = PyFloat_AsDouble(py_{name});"

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name}.is);"


class Pair(Plain):
    """An array."""

    def c_declare(self, name, sub, check_input=True):
        return f"double {name}[2];"

    def c_init(self, name, sub):
        return f"{name}[1] = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name}[1] = PyFloat_AsDouble(py_{name});"

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name}[1]);"


@pytest.mark.parametrize("split", [False, True], ids=["whole", "split"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("capture", ["=", "x"])
@pytest.mark.parametrize("type, item", [(Object(), ".is"), (Pair(), "[1]")],
                         ids=["object", "array"])
def test_a_lambda_captures_a_copy_of_an_object_that_is_kept(
        type, item, capture, form, split):
    x = type("x")
    text = CText(f"auto f = [{capture}]() mutable {{ return x{item} += 1; }}; "
                 f"z{item} = f() * 10 + x{item};")
    half = CText(f"z{item} = x{item} / 2;")
    how = dict(split_above=2, chunk_size=2) if split else {}
    z = half(text(half(x)))
    run = Raw([x], [z], form=form, language="c++", tier="fast", **how)
    assert [run(4.0), run(4.0)] == [[16.0]] * 2


@pytest.mark.parametrize("std", ["11", "17", "20"])
@pytest.mark.parametrize("split", [False, True], ids=["whole", "split"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("capture", ["=", "x"])
@pytest.mark.parametrize("ask", ["decltype", "__typeof__"])
@pytest.mark.parametrize("type, item", [(Object(), ".is"), (Pair(), "[1]")],
                         ids=["object", "array"])
def test_a_lambda_copies_an_object_whose_type_is_asked_for(
        type, item, ask, capture, form, split, std):
    """`t` is an object of its own, and no reference to `x`."""
    x = type("x")
    text = CText(f"{ask}(x) t; t{item} = 9; auto f = [{capture}]() mutable "
                 f"{{ {ask}(x) u; u{item} = 7; return x{item} += 1; }}; "
                 f"z{item} = f() * 10 + x{item} + t{item} / 100;")
    half = CText(f"z{item} = x{item} / 2;")
    how = dict(split_above=2, chunk_size=2) if split else {}
    z = half(text(half(x)))
    run = Raw([x], [z], form=form, language="c++", tier="fast",
              flags=["-std=gnu++" + std, "-Werror", "-pedantic-errors"], **how)
    assert [run(4.0), run(4.0)] == [[16.045]] * 2


class Parallel(CText):
    def c_compile_args(self):
        return ["-fopenmp"]


PRAGMA = "\n#pragma omp simd\nfor (int i = 0; i < 1; ++i) z%s += i;"
PRAGMA_OF_A_MACRO = ("LOOPS(z%s)", '#define LOOPS(z) _Pragma("omp simd") '
                     "for (int k = 0; k < 1; ++k) z += k;\n")


@pytest.mark.parametrize("split", [False, True], ids=["whole", "split"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("capture", ["=", "x"])
@pytest.mark.parametrize("beside", ["decltype", "pragma", "macro"])
@pytest.mark.parametrize("type, item", [(Object(), ".is"), (Pair(), "[1]")],
                         ids=["object", "array"])
def test_beside_openmp_a_lambda_captures_a_copy_of_an_object_that_is_kept(
        type, item, beside, capture, form, split):
    """Clang's regions of OpenMP take no structured bindings."""
    x = type("x")
    asked, loop, support = ("", "", "")
    if beside == "decltype":
        asked = f"decltype(x) u; u{item} = 7; "
    elif beside == "pragma":
        loop = PRAGMA % item
    else:
        loop, support = PRAGMA_OF_A_MACRO
        loop = loop % item
    text = Parallel(f"{asked}auto f = [{capture}]() mutable {{ {asked}"
                    f"return x{item} += 1; }}; z{item} = f() * 10 + x{item};" + loop,
                    support)
    half = CText(f"z{item} = x{item} / 2;")
    how = dict(split_above=2, chunk_size=2) if split else {}
    z = half(text(half(x)))
    run = Raw([x], [z], form=form, language="c++", tier="fast",
              flags=["-Werror", "-pedantic-errors"], **how)
    assert [run(4.0), run(4.0)] == [[16.0]] * 2


COPIES_NONE = (
    "`[=]` copies no member, so this lambda uses `V2` itself, with any later "
    "value: to copy it write `[copy = V2]`, else `[&]`")
BOTH = "decltype(x) t; auto f = [%s] { return %s.is; }; x.is += 1; z.is = f() * 2;"


@pytest.mark.parametrize("capture, value, warnings", [
    ("=", 6.0, [COPIES_NONE]), ("copy = x", 4.0, []), ("&", 6.0, [])])
def test_beside_a_pragma_and_decltype_a_lambda_uses_what_is_kept_itself(
        capture, value, warnings):
    x = Object()("x")
    name = "copy" if "copy" in capture else "x"
    z = Parallel(BOTH % (capture, name) + PRAGMA % ".is")(CText("z.is = x.is / 2;")(x))
    how = dict(language="c++")
    assert function([x], z, mode=Mode(form="function", **how))(4.0) == (
        4.0 if capture == "=" else value)
    if warnings:
        with pytest.warns(clinch.CompileWarning) as found:
            f = function([x], z, mode=Mode(form="struct", **how))
        assert [str(w.message).split(": ", 1)[1] for w in found] == warnings
    else:
        f = function([x], z, mode=Mode(form="struct", **how))
    assert f(4.0) == value


def test_beside_a_pragma_and_decltype_a_capture_of_what_is_kept_is_refused():
    x = Object()("x")
    z = Parallel(BOTH % ("x", "x") + PRAGMA % ".is")(CText("z.is = x.is / 2;")(x))
    with pytest.raises(RuleError) as refused:
        function([x], z, mode=Mode(form="struct", language="c++"))
    assert refused.value.diagnostics[0]["message"] == (
        "a lambda may not capture `V2`, which is a member of an object here: "
        "write `[&]`, or copy it, as in `[copy = V2]`")


class SetByALambda(Object):
    def c_init(self, name, sub):
        return f"{name}.is = 5; {name}.is = [=] {{ return {name}.is; }}();"


def test_where_a_struct_is_set_up_a_lambda_uses_what_is_kept_itself():
    x = SetByALambda()("x")
    z = CText("z.is = x.is / 2;")(CText("z.is = x.is + (z.is == 5);")(x))
    with pytest.warns(clinch.CompileWarning) as found:
        f = function([x], z, mode=Mode(form="struct", language="c++"))
    assert [str(w.message).split(": ", 1)[1] for w in found] == [COPIES_NONE]
    assert f(4.0) == 2.5
    assert function([x], z, mode=Mode(form="function", language="c++"))(4.0) == 2.5


class AsksForItsInput(CText):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"#ifdef {inputs[0]}\n{outputs[0]} = 9;\n#endif\n"


@pytest.mark.parametrize("split", [
    {}, dict(split_above=2, chunk_size=2)], ids=["whole", "split"])
def test_no_macro_of_a_temporary_is_asked_for(split):
    """Where a text is split, a temporary is a variable in one part, and in
    others a macro."""
    x = double("x")
    with pytest.raises(RuleError) as refused:
        clinch._clinch.Program([x], [AsksForItsInput("")(x * x)],
                               language="c", form="struct", tier="fast",
                               **split)
    found = refused.value.diagnostics[0]
    assert found["message"].startswith("the name `V2`")


@in_every_way
def test_decltype_is_of_the_value(form, linker, tier, first_tier):
    x = double("x")
    op = CText("decltype(x) t = x; t += 1; z = x;")
    assert results([x], op(x), [1.0], form=form, linker=linker, tier=tier,
                   first_tier=first_tier, language="c++") == [1.0] * 3


@pytest.mark.parametrize("language, std", [
    ("c", "gnu99"), ("c", "c99"), ("c", "c17"), ("c++", "c++11"), ("c++", "c++20")])
@pytest.mark.parametrize("support", ["#define ONE 1\n", "static const int ONE = 1; /* */"])
def test_what_stands_behind_a_text_is_no_extension(support, language, std):
    x = double("x")
    run = Raw([x], [CText("z = x + ONE;", support)(x)], form="struct", tier="fast",
              language=language,
              flags=["-std=" + std, "-pedantic-errors", "-Werror"])
    assert run(4.0) == [5.0]


@pytest.mark.parametrize("language", ["c", "c++"])
@in_every_way
def test_helpers_of_one_name(language, form, linker, tier, first_tier):
    """The same text stands once; two texts with one name do not compile."""
    x = double("x")
    how = dict(form=form, linker=linker, tier=tier, first_tier=first_tier,
               language=language)
    helper = "static double helper(double x) { return x + %s; }\n"
    first = CText("z = helper(x);", helper % 1)
    again = CText("z = 2 * helper(x);", helper % 1)
    other = CText("z = 3 * helper(x);", helper % 2)
    assert results([x], again(first(x)), [1.0], **how) == [6.0] * 3
    if linker == "op":
        assert results([x], other(first(x)), [1.0], **how) == [12.0] * 3
        return
    with pytest.raises(clinch.CompileError) as raised:
        results([x], other(first(x)), [1.0], **how)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic["origin"] == "`CText.c_support_code`"
    assert diagnostic["message"] == "redefinition of 'helper'"


@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("mode", [clinch.Mode, clinch.DebugMode])
@pytest.mark.parametrize("name", ["view_map", "destroy_map"])
@pytest.mark.parametrize("malformed", [
    {0: 0}, {0: None}, {0: ["0"]}, {0: [-1]}, {-1: [0]}, {"0": [0]}, {0: [0.0]},
    [0], {0: {0: 0}}, {0: [1 << 80]},
])
def test_a_malformed_map_is_an_error(malformed, name, mode, linker):
    x = double("x")
    op = CText("z = x;")
    setattr(op, name, malformed)
    with pytest.raises(clinch.GraphError) as raised:
        clinch.function([x], op(x), mode(linker=linker))
    assert str(raised.value) == (
        f"`CText.{name}` must map positions of outputs to lists of positions "
        f"of inputs, as {{0: [1]}} does; it is {malformed}")


@pytest.mark.parametrize("linker", ["graph", "op"])
@pytest.mark.parametrize("mode", [clinch.Mode, clinch.DebugMode])
@pytest.mark.parametrize("name", ["view_map", "destroy_map"])
@pytest.mark.parametrize(("beyond", "what"), [
    ({0: [1]}, "names input 1, but the apply has 1 input"),
    ({1: [0]}, "names output 1, but the apply has 1 output"),
])
def test_a_map_beyond_the_apply_is_an_error(beyond, what, name, mode, linker):
    x = double("x")
    op = CText("z = x;")
    setattr(op, name, beyond)
    with pytest.raises(clinch.GraphError) as raised:
        clinch.function([x], op(x), mode(linker=linker))
    assert str(raised.value) == f"`CText.{name}` {what}"


@pytest.mark.parametrize("none", [None, {}, {0: []}, {0: ()}])
def test_maps_of_nothing(none):
    x = double("x")
    op = CText("z = x + 1;")
    op.view_map = op.destroy_map = none
    assert clinch.function([x], op(x))(1.0) == 2.0


@pytest.mark.parametrize(("thrown", "message"), [
    ("throw std::invalid_argument(\"no such thing\");",
     "`std::invalid_argument`: no such thing"),
    ("throw Own();", "`Own`: my own"),
    ("throw 3;", "`int`"),
])
@in_every_way
def test_what_is_thrown_is_said(thrown, message, form, linker, tier,
                                first_tier):
    support = """
    #include <stdexcept>
    struct Own : std::exception {
      const char *what() const noexcept override { return "my own"; }
    };
    """
    x = double("x")
    op = CText("if (x > 1) " + thrown + " z = x;", support)
    f = clinch.function([x], op(x),
                        mode=clinch.Mode(form=form, linker=linker, tier=tier,
                                         first_tier=first_tier, language="c++"))
    for _ in range(2):
        assert f(0.5) == 0.5
        with pytest.raises(RuntimeError) as raised:
            f(2.0)
        assert str(raised.value) == ("`CText.c_code` for `node_3` threw "
                                     + message)
        f.wait()


@in_every_way
def test_objects_of_the_struct_begin_and_end(form, linker, tier, first_tier):
    support = """
    #include <string>
    static int *counted() { return (int *)PyCapsule_GetPointer(
        PySys_GetObject("clinch_test_count"), 0); }
    struct Counted { Counted() { ++*counted(); } ~Counted() { --*counted(); } };
    """
    count = ctypes.c_int(0)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    sys.clinch_test_count = new(ctypes.c_void_p(ctypes.addressof(count)), None,
                                None)
    x = double("x")
    op = CText("text += 'a'; z = x + double(text.size());", support,
               "std::string text; Counted one;")
    f = clinch.function([x], op(x),
                        mode=clinch.Mode(form=form, linker=linker, tier=tier,
                                         first_tier=first_tier, language="c++"))
    kept = form == "struct"
    assert count.value == kept
    assert [f(0.0) for _ in range(3)] == ([1.0, 2.0, 3.0] if kept else
                                          [1.0] * 3)
    f.wait()
    assert f(0.0) == (4.0 if kept else 1.0)
    assert count.value == kept
    del f
    gc.collect()
    assert count.value == 0
    del sys.clinch_test_count
