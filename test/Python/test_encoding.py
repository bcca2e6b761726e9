"""Text that is no UTF-8, or has a NUL character, is an error that names the
hook: Python's lone surrogates stand for such bytes."""

import pytest

from clinch import Apply, CompileError, Double, Op, double, function

BAD = [("\udcff", "this text is not UTF-8: the byte 0xff stands here"),
       ("\ud800", "this text is not UTF-8: the byte 0xed stands here"),
       ("\0", "a NUL character stands in this text")]


class Says(Op):
    """One of its hooks says what it is told."""
    __props__ = ("hook", "text")

    def __init__(self, hook, text):
        self.hook, self.text = hook, text

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def more(self, hook):
        return self.text if hook == self.hook else ""

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]};\n" + self.more("c_code")

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return ";\n" + self.more("c_code_cleanup")

    def c_support_code(self):
        return "\n" + self.more("c_support_code")

    def c_support_code_apply(self, node, name):
        return "\n" + self.more("c_support_code_apply")

    def c_init_code(self):
        return ["\n" + self.more("c_init_code")]

    def c_init_code_struct(self, node, name, sub):
        return "\n" + self.more("c_init_code_struct")

    def c_cleanup_code_struct(self, node, name):
        return "\n" + self.more("c_cleanup_code_struct")


@pytest.mark.parametrize("text, message", BAD)
@pytest.mark.parametrize("hook", [
    "c_code", "c_code_cleanup", "c_support_code", "c_support_code_apply",
    "c_init_code", "c_init_code_struct", "c_cleanup_code_struct"])
def test_hooks_of_ops(hook, text, message):
    x = double("x")
    for written in (f"// {text}\n", f"int a{text};"):
        with pytest.raises(CompileError) as caught:
            function([x], Says(hook, written)(x))
        told, = caught.value.diagnostics
        assert told["origin"].startswith(f"`Says.{hook}`")
        assert told["line"] == 2
        assert told["message"] == message


@pytest.mark.parametrize("text, message", BAD)
@pytest.mark.parametrize("hook", ["c_declare", "c_extract", "c_sync",
                                  "c_cleanup", "c_init"])
def test_hooks_of_types(hook, text, message):
    kind = type("Bad", (Double,), {
        hook: lambda self, name, sub, check_input=True:
        f"double {name};\n// {text}"})
    x, t = kind()("x"), kind()("t")
    plain = Says("", "")
    with pytest.raises(CompileError) as caught:
        function([x], plain(plain(x)))
    assert caught.value.diagnostics[0]["message"] == message
    assert f"`Bad.{hook}`" in str(caught.value)
    assert t is not x


@pytest.mark.parametrize("text, message", BAD)
def test_a_literal(text, message):
    kind = type("Bad", (Double,), {"c_literal": lambda self, value: text})
    x = double("x")
    add = type("Add", (Says,), {
        "make_node": lambda self, *inputs: Apply(self, inputs,
                                                 [inputs[0].type()])})
    from clinch import Constant
    with pytest.raises(CompileError, match="`Bad.c_literal`"):
        function([x], add("", "")(x, Constant(kind(), 1.0)))


@pytest.mark.parametrize("hook", ["c_headers", "c_header_dirs", "c_libraries",
                                  "c_compile_args"])
def test_lists_have_no_nul(hook):
    kind = type("Listed", (Says,), {
        hook: lambda self, c_compiler=None: ["a\0b"]})
    x = double("x")
    with pytest.raises(CompileError, match=f"`Listed.{hook}` returned text "
                                           "with a NUL character"):
        function([x], kind("", "")(x))


def test_utf8_is_text():
    x = double("x")
    f = function([x], Says("c_code", "/* é 漢 😀 */")(x))
    assert f(2.0) == 2.0


def test_a_strange_character_is_told_behind_a_line_of_an_old_mac():
    """Its text is cut where Clang says, in bytes, of the line that Clang means."""
    x = double("x")
    with pytest.raises(CompileError, match="`Says.c_code`") as caught:
        function([x], Says("c_code", "\ufffd\ufffd;\r\x184\ufffd")(x))
    lines = [told["source_line"] for told in caught.value.diagnostics]
    assert lines[0] == "\ufffd\ufffd;" and lines[-1] == "\x184\ufffd"


def test_a_class_may_have_any_name():
    x = double("x")
    kind = type("Two\nlines \"quoted\"", (Says,), {})
    assert function([x], kind("", "")(x))(3.0) == 3.0
    with pytest.raises(CompileError):
        function([x], kind("c_code", "nonsense")(x))
