"""Text that is no UTF-8, or has a NUL character, is an error that names the
hook: Python's lone surrogates stand for such bytes."""

import re

import pytest

from clinch import Apply, CompileError, Constant, Double, Mode, double, function
from saying import OF_OP, OF_TYPE, Saying, graph

BAD = [("\udcff", "this text is not UTF-8: the byte 0xff stands here"),
       ("\ud800", "this text is not UTF-8: the byte 0xed stands here"),
       ("\0", "a NUL character stands in this text")]


@pytest.mark.parametrize("text, message", BAD)
@pytest.mark.parametrize("hook", OF_TYPE + OF_OP)
def test_every_hook(hook, text, message):
    for written in (f"// {text}\n", f"int a{text};"):
        x, y = graph(hook, written)
        with pytest.raises(CompileError) as caught:
            function([x], y, Mode(form="struct"))
        told, *others = caught.value.diagnostics
        assert not others or hook in OF_TYPE
        assert re.match(rf"`Saying(Type)?\.{hook}`", told["origin"])
        assert told["message"] == message
        assert told["line"] == 2 or hook in OF_TYPE


@pytest.mark.parametrize("text, message", BAD)
def test_a_literal(text, message):
    kind = type("Bad", (Double,), {"c_literal": lambda self, value: text})
    x = double("x")
    add = type("Add", (Saying,), {
        "make_node": lambda self, *inputs: Apply(self, inputs,
                                                 [inputs[0].type()])})
    with pytest.raises(CompileError, match="`Bad.c_literal`"):
        function([x], add("", "")(x, Constant(kind(), 1.0)))


@pytest.mark.parametrize("hook", ["c_headers", "c_header_dirs", "c_libraries",
                                  "c_compile_args"])
def test_lists_have_no_nul(hook):
    kind = type("Listed", (Saying,), {
        hook: lambda self, c_compiler=None: ["a\0b"]})
    x = double("x")
    with pytest.raises(CompileError, match=f"`Listed.{hook}` returned text "
                                           "with a NUL character"):
        function([x], kind("", "")(x))


def test_utf8_is_text():
    x = double("x")
    f = function([x], Saying("c_code", "/* é 漢 😀 */")(x))
    assert f(2.0) == 4.0


def test_a_strange_character_is_told_behind_a_line_of_an_old_mac():
    """Its text is cut where Clang says, in bytes, of the line that Clang means."""
    x = double("x")
    with pytest.raises(CompileError, match="`Saying.c_code`") as caught:
        function([x], Saying("c_code", "\ufffd\ufffd;\r\x184\ufffd")(x))
    lines = [told["source_line"] for told in caught.value.diagnostics]
    assert lines[0] == "\ufffd\ufffd;" and lines[-1] == "\x184\ufffd"


def test_a_class_may_have_any_name():
    x = double("x")
    kind = type("Two\nlines \"quoted\"", (Saying,), {})
    assert function([x], kind("", "")(x))(3.0) == 6.0
    with pytest.raises(CompileError):
        function([x], kind("c_code", "nonsense")(x))
