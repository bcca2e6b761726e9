"""What an author of hooks is told: in his words, once, and where."""

import os
import subprocess
import sys

import pytest

import clinch
from clinch import Apply, Double, Op, double, function


class Slip(Op):
    __props__ = ("code",)

    def __init__(self, code):
        self.code = code

    def make_node(self, *inputs):
        return Apply(self, inputs, [inputs[0].type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return self.code


class Hasty(Double):
    def c_cleanup(self, name, sub):
        return "return 0;"


def error_of(code, *inputs):
    with pytest.raises(clinch.CompileError) as caught:
        function(list(inputs), Slip(code)(*inputs))
    return caught.value


def line_of(method):
    return f"{__file__}:{method.__code__.co_firstlineno}"


def test_the_hooks_place():
    error = error_of("no such thing;", double("x"))
    assert error.__notes__ == [
        f"`Slip.c_code` is at {line_of(Slip.c_code)}."]


def test_hooks_of_the_package_have_no_place():
    class Twice(Double):
        pass
    x = Twice()("x")
    error = error_of("no such thing;", x)
    assert len(error.__notes__) == 1


def test_a_python_hook_has_no_template():
    error = error_of("return 1;", double("x"))
    assert error.diagnostics[0]["message"].endswith(
        '; write `sub["fail"]` to fail, or let the code run to its end')
    error = error_of("%(fail)s", double("x"))
    assert error.diagnostics[0]["message"] == (
        "`%(fail)s` is still there: nothing was put in its place; write "
        '`sub["fail"]`')


def test_a_c_file_has_no_template(tmp_path):
    (tmp_path / "op.c").write_text("#section code\n%(fail)s\n")

    class InFile(clinch.ExternalCOp):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

    x = double("x")
    with pytest.raises(clinch.CompileError) as caught:
        function([x], InFile(str(tmp_path / "op.c"))(x))
    assert caught.value.diagnostics[0]["message"] == (
        "`%(fail)s` is still there: nothing was put in its place; write "
        "`FAIL`")


def test_an_error_made_by_hand():
    found = {"message": "wrong", "source_line": "\u00e4\u00f6 $", "column": 6,
             "fixits": [{"replacement": "%"}]}
    error = clinch.CompileError("They differ.", [found])
    assert str(error) == ("They differ.\nerror: wrong\n  \u00e4\u00f6 $\n"
                          "     ^\n  write instead: %")
    assert str(clinch.CompileError("it is wrong", [found])).startswith(
        "error: wrong\n")
    with pytest.raises(TypeError, match="a diagnostic is a dict"):
        str(clinch.CompileError("m", ["wrong"]))


def test_a_slip_of_a_type_is_told_once():
    x, y = Hasty()("x"), Hasty()("y")
    error = error_of("", x, y)
    assert error.message == "The text breaks a rule in 1 place."
    (fault,) = error.diagnostics
    # The first with a name, as the cleanups run from the last to the first.
    assert fault["origin"] == "`Hasty.c_cleanup` for `y`"
    assert fault["notes"][-1]["message"] == "the same for `V3`, `x`"


def test_many_variables_are_counted():
    error = error_of("", *(Hasty()(f"x{i}") for i in range(9)))
    assert error.diagnostics[0]["notes"][-1]["message"].endswith(
        " and 6 more")


def test_two_slips_in_one_line_are_two():
    error = error_of("first; second;", double("x"))
    assert [d["column"] for d in error.diagnostics] == [1, 8]


def test_a_script_sees_no_frames_of_linkers(tmp_path):
    script = tmp_path / "slip.py"
    script.write_text("import clinch\n"
                      "class Slip(clinch.Op):\n"
                      "    def make_node(self, x):\n"
                      "        return clinch.Apply(self, [x], [x.type()])\n"
                      "    def c_code(self, *_):\n"
                      "        return 'wrong'\n"
                      "x = clinch.double('x')\n"
                      "clinch.function([x], Slip()(x))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True,
                          text=True, check=False)
    frames = [line for line in done.stderr.splitlines()
              if line.startswith("  File ")]
    assert [os.path.basename(f.split('"')[1]) for f in frames] == [
        "slip.py", "functions.py"]
    assert done.stderr.endswith(f"`Slip.c_code` is at {script}:5.\n")


def test_a_number_for_a_variable():
    message = ("input 2 of Slip{code=''} is a float, and its make_node takes a "
               "Variable; `x = clinch.as_variable(x)` there makes one of a number")

    class Second(Slip):
        def make_node(self, *inputs):
            return Apply(self, inputs, [inputs[1].type()])
    Second.__name__ = "Slip"
    with pytest.raises(TypeError) as caught:
        Second("")(double("x"), 3.0)
    assert str(caught.value) == message


def test_an_authors_own_attribute_error_stays():
    class Nothing(Slip):
        def make_node(self, *inputs):
            return self.nothing
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        Nothing("")(double("x"), 3.0)


def test_an_op_of_itypes_takes_no_keywords():
    class Typed(Slip):
        itypes = otypes = [double]
        make_node = Op.make_node
    with pytest.raises(TypeError, match="^Slip.* takes no argument `axis`$"):
        type("Slip", (Typed,), {})("")(double("x"), axis=1)
