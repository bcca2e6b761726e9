"""Ops in C files: sections, macros, calls, and messages at the author's line."""

import numpy
import pytest

import clinch
from clinch import Apply, ExternalCOp, Mode, Scalar, TensorType, double, function
from clinch.testing import TextOp

VECTOR = """\
// Adds two vectors.
#section support_code
static int same_length(PyArrayObject *a, PyArrayObject *b) {
  return PyArray_DIMS(a)[0] == PyArray_DIMS(b)[0];
}
#section support_code_apply
static int APPLY_SPECIFIC(plus)(PyArrayObject *x, PyArrayObject *y,
                                PyArrayObject **z) {
  if (!same_length(x, y)) {
    PyErr_Format(PyExc_ValueError, "lengths differ: %d and %d",
                 (int)PyArray_DIMS(x)[0], (int)PyArray_DIMS(y)[0]);
    return 1;
  }
  if (!*z || !same_length(x, *z)) {
    Py_XDECREF(*z);
    *z = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS(x), TYPENUM_OUTPUT_0,
                                        0);
    if (!*z)
      return 1;
  }
  for (npy_intp i = 0; i < PyArray_DIMS(x)[0]; ++i)
    ((DTYPE_OUTPUT_0 *)PyArray_DATA(*z))[i] =
        *(DTYPE_INPUT_0 *)PyArray_GETPTR1(x, i) +
        *(DTYPE_INPUT_1 *)PyArray_GETPTR1(y, i);
  return 0;
}
"""


class FileOp(ExternalCOp):
    """An Op of these files on what it is given; the output is like `like`."""

    __props__ = ("func_files", "func_name")

    def __init__(self, files, func_name=None, like=None):
        super().__init__([str(f) for f in files], func_name)
        self.func_files = tuple(self.func_files)
        self.like = like

    def make_node(self, *inputs):
        like = self.like or inputs[0].type
        return Apply(self, list(inputs), [like()])


@pytest.fixture
def write(tmp_path):
    def write(text, name="op.c"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path
    return write


def vector(dtype="float64"):
    return TensorType(dtype, (None,))()


@pytest.mark.parametrize("form", ["function", "struct"])
def test_a_function_of_the_file_is_called(write, form):
    op = FileOp([write(VECTOR)], "APPLY_SPECIFIC(plus)")
    x, y = vector(), vector("int8")
    f = function([x, y], op(x, y), mode=Mode(form=form))
    assert f([1.5, 2.5], numpy.int8([1, 2])).tolist() == [2.5, 4.5]
    with pytest.raises(ValueError) as error:
        f([1.5], numpy.int8([1, 2]))
    assert str(error.value) == "lengths differ: 1 and 2"


def test_applies_of_other_dtypes_do_not_meet(write):
    op = FileOp([write(VECTOR)], "APPLY_SPECIFIC(plus)")
    x, y = vector("float32"), vector("int16")
    f = function([x, y], [op(x, x), op(y, y)])
    a, b = f(numpy.float32([0.5]), numpy.int16([7]))
    assert (a.dtype, a.tolist(), b.dtype, b.tolist()) == (
        "float32", [1.0], "int16", [14])


def test_code_section_with_inputs_outputs_and_cleanup(write):
    op = FileOp([write("""\
#section support_code
static int cleaned;
#section code
{
  DTYPE_INPUT_0 half = INPUT_0 / 2;
  if (half < 0) {
    PyErr_Format(PyExc_ValueError, "cleaned %d times", cleaned);
    FAIL
  }
  OUTPUT_0 = half + ITEMSIZE_INPUT_0 + (TYPENUM_INPUT_0 == NPY_FLOAT32);
}
#section code_cleanup
++cleaned;
""")])
    x = Scalar("float32")("x")
    f = function([x], op(x))
    assert f(numpy.float32(3)) == 6.5
    with pytest.raises(ValueError) as error:
        f(numpy.float32(-3))
    assert str(error.value) == "cleaned 1 times"
    with pytest.raises(ValueError) as error:
        f(numpy.float32(-3))
    assert str(error.value) == "cleaned 2 times"


@pytest.mark.parametrize("called", ["APPLY_SPECIFIC(total)",
                                    "APPLY_SPECIFIC( total )",
                                    "APPLY_SPECIFIC (\ttotal\n)"])
def test_struct_sections_keep_state_for_each_function(write, called):
    op = FileOp([write(f"""\
#section support_code_struct
double {called};
#section init_code_struct
APPLY_SPECIFIC(total) = 100;
#section code
APPLY_SPECIFIC(total) += INPUT_0;
OUTPUT_0 = APPLY_SPECIFIC(total);
""")])
    x = double("x")
    f = function([x], op(x), mode=Mode(form="struct"))
    g = function([x], op(x), mode=Mode(form="struct"))
    assert [f(1.0), f(2.0), g(5.0), f(3.0)] == [101.0, 103.0, 105.0, 106.0]


def test_a_failing_init_code_struct(write):
    op = FileOp([write("""\
#section init_code_struct
PyErr_SetString(PyExc_OSError, "no device");
FAIL
#section code
OUTPUT_0 = INPUT_0;
""")])
    x = double("x")
    with pytest.raises(OSError) as error:
        function([x], op(x), mode=Mode(form="struct"))(1.0)
    assert str(error.value) == "no device"


def test_several_files_are_joined(write):
    one = write("#section code\nOUTPUT_0 = INPUT_0;\n"
                "#section support_code\nstatic double twice(double v);\n",
                "one.c")
    two = write("#section support_code\nstatic double twice(double v) {\n"
                "  return 2 * v;\n}\n#section code\n"
                "OUTPUT_0 = twice(OUTPUT_0) + 1;\n", "two.c")
    x = double("x")
    assert function([x], FileOp([one, two])(x))(3.0) == 7.0


@pytest.mark.parametrize("given, arguments", [(1, "a, 0, r, 0"),
                                              (2, "a, b, r, 0")])
def test_calls_are_padded_with_null(write, given, arguments):
    class Padded(FileOp):
        _cop_num_inputs = 2
        _cop_num_outputs = 2

    op = Padded([write("""\
#section support_code
static int sum(PyArrayObject *a, PyArrayObject *b, PyArrayObject **r,
               PyArrayObject **s) {
  npy_int64 value = (a != NULL) + 2 * (b != NULL) + 4 * (r != NULL) +
                    8 * (s != NULL);
  Py_XDECREF(*r);
  *r = (PyArrayObject *)PyArray_ZEROS(0, NULL, NPY_INT64, 0);
  if (*r)
    *(npy_int64 *)PyArray_DATA(*r) = value;
  return *r == NULL;
}
""")], "sum", TensorType("int64", ()))
    inputs = [vector() for _ in range(given)]
    f = function(inputs, op(*inputs))
    assert f(*[[1.0]] * given) == (5 if given == 1 else 7)


def test_a_call_that_fails_without_a_word(write):
    op = FileOp([write("#section support_code\n"
                       "static int f(double x, double *y) { return 3; }\n")],
                "f")
    x = double("x")
    with pytest.raises(RuntimeError):
        function([x], op(x))(1.0)


@pytest.mark.parametrize("section", ["support_code", "support_code_apply",
                                     "code", "code_cleanup"])
def test_messages_name_the_author_s_line(write, section):
    path = write("// 1\n#section code\nOUTPUT_0 = INPUT_0;\n"
                 f"#section {section}\n\n\n  int wrong = \"x\" * 2;\n")
    x = double("x")
    with pytest.raises(clinch.CompileError) as error:
        function([x], FileOp([path])(x))
    first = error.value.diagnostics[0]
    assert first["line"] == 7
    assert str(path) in first["origin"]
    assert first["source_line"] == "  int wrong = \"x\" * 2;"


def test_messages_name_the_second_file(write):
    one = write("#section code\nOUTPUT_0 = INPUT_0;\n", "one.c")
    two = write("#section code\n\nOUTPUT_0 = nowhere;\n", "two.c")
    x = double("x")
    with pytest.raises(clinch.CompileError) as error:
        function([x], FileOp([one, two])(x))
    first = error.value.diagnostics[0]
    assert (first["line"], "two.c" in first["origin"]) == (3, True)


@pytest.mark.parametrize("code, word", [
    ("return;", "return"), ("goto label_1;", "goto"),
])
def test_rules_hold_in_every_file(write, code, word):
    one = write("#section code\nOUTPUT_0 = INPUT_0;\n", "one.c")
    two = write(f"#section code\nif (OUTPUT_0 > 1) {{\n  {code}\n}}\n", "two.c")
    x = double("x")
    with pytest.raises(clinch.RuleError) as error:
        function([x], FileOp([one, two])(x))
    first = error.value.diagnostics[0]
    assert first["line"] == 3 and "two.c" in first["origin"]
    assert word in first["message"]


def test_a_return_in_support_code_is_no_matter(write):
    op = FileOp([write("#section support_code_apply\n"
                       "static double f(void) { return 2; }\n"
                       "#section code\nOUTPUT_0 = f();\n")])
    x = double("x")
    assert function([x], op(x))(1.0) == 2.0


def test_fail_in_a_cleanup_is_refused_at_its_line(write):
    path = write("#section code\nOUTPUT_0 = INPUT_0;\n"
                 "#section code_cleanup\nif (OUTPUT_0 > 1) {\n  FAIL\n}\n")
    x = double("x")
    with pytest.raises(clinch.CompileError) as error:
        function([x], FileOp([path])(x))
    first = error.value.diagnostics[0]
    assert first["line"] == 5 and str(path) in first["origin"]


def test_no_section_and_no_file(write, tmp_path):
    path = write("// nothing\n")
    with pytest.raises(clinch.CompileError) as error:
        FileOp([path])
    assert str(error.value).startswith(
        f"`{path}` has no `#section` line, such as `#section code`.")
    with pytest.raises(OSError) as error:
        FileOp([tmp_path / "gone.c"])
    assert f"The C file `{tmp_path / 'gone.c'}` of an Op cannot be read" in (
        str(error.value))


def test_neither_code_nor_function(write):
    op = FileOp([write("#section support_code\nint f(void);\n")])
    x = double("x")
    with pytest.raises(ValueError) as error:
        function([x], op(x))
    assert "have no `#section code`, and no function is named" in (
        str(error.value))


def test_helpers_in_the_file_and_code_in_python(write):
    class Twice(FileOp):
        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = twice_{name}({inputs[0]});"

    op = Twice([write("""\
#section support_code_apply
static double APPLY_SPECIFIC(twice)(double v) { return 2 * v; }
""")])
    x = double("x")
    assert function([x], op(x))(3.0) == 6.0


def test_paths_are_relative_to_the_class(write, monkeypatch, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    write("#section code\nOUTPUT_0 = INPUT_0 + 1;\n", "near.c")
    module = write("from clinch import Apply, ExternalCOp\n"
                   "class Near(ExternalCOp):\n"
                   "    def __init__(self):\n"
                   "        super().__init__('./near.c')\n"
                   "    def make_node(self, x):\n"
                   "        return Apply(self, [x], [x.type()])\n", "near.py")
    monkeypatch.syspath_prepend(str(module.parent))
    monkeypatch.chdir(tmp_path / "elsewhere")
    from near import Near
    x = double("x")
    assert function([x], Near()(x))(1.0) == 2.0


PASTE = "#define PASTE_(a, b) a##b\n#define PASTE(a, b) PASTE_(a, b)\n"


class Pasting(TextOp):
    """Code in which {x}, {y} and {z} are its variables; they may be pasted."""

    def __init__(self, code, struct="", support=PASTE):
        super().__init__(code, struct=struct, support=support)


in_each_form = pytest.mark.parametrize("form", ["function", "struct"])
in_each_language = pytest.mark.parametrize("language", ["c", "c++"])
NEW = """Py_XDECREF({z});
{z} = (PyArrayObject *)PyArray_NewCopy({x}, NPY_CORDER);
*(double *)PyArray_DATA({z}) = PASTE(my_, %s);"""


@in_each_language
@in_each_form
def test_names_of_variables_are_pasted_through_a_nested_macro(form, language):
    """Of an input, of a kept intermediate value, and of a constant."""
    x = vector()
    shared = numpy.array([5.0, 6.0])
    read = "double PASTE(my_, {y}) = *(double *)PyArray_DATA({y});\n"
    op = Pasting(read + NEW % "{y}")
    own = Pasting(PASTE + read + NEW % "{y}", support="")
    f = function([x], [op(x, x + x), op(x, clinch.constant(shared)), own(x, x * 3)],
                 mode=Mode(form=form, language=language, fuse=False))
    for first in (1.5, 2.5):
        assert [r.tolist() for r in f([first, 0.0])] == [
            [2 * first, 0.0], [5.0, 0.0], [3 * first, 0.0]]


@in_each_form
def test_what_is_pasted_goes_through_a_graph_that_is_split(form):
    x = vector()
    op = Pasting("double PASTE(my_, {y}) = *(double *)PyArray_DATA({y}) + 1;\n"
                 + NEW % "{y}")
    y = x
    for _ in range(250):
        y = op(y, y)
    f = function([x], y, mode=Mode(form=form, language="c"))
    assert [f([1.0]).tolist(), f([2.0]).tolist()] == [[251.0], [252.0]]


@in_each_form
def test_a_member_is_called_through_a_nested_macro(write, form):
    op = FileOp([write("""\
#section support_code
#define FIELD(name) APPLY_SPECIFIC(name)
#section support_code_struct
double APPLY_SPECIFIC(total);
#section init_code_struct
FIELD(total) = 100;
#section code
FIELD(total) += INPUT_0;
double FIELD(INPUT_0) = FIELD(total);
OUTPUT_0 = FIELD(INPUT_0);
""")])
    x = double("x")
    f = function([x], op(x), mode=Mode(form=form, language="c"))
    expected = [101.0, 103.0] if form == "struct" else [101.0, 102.0]
    assert [f(1.0), f(2.0)] == expected


@in_each_form
@pytest.mark.parametrize("member", ["double PASTE(total_, {name});",
                                    "OWN({name})", "double TOTAL;"])
def test_a_member_that_a_macro_declares_needs_cxx(member, form):
    support = PASTE + "#define OWN(name) double total_##name;\n#define TOTAL total_{name}\n"
    x = double("x")

    def made(language):
        # The node is called node_3.
        op = Pasting("total_{name} = {x}; {z} = total_{name} + 1;", member,
                     support.replace("{name}", "node_3"))
        return function([x], op(x), mode=Mode(form=form, language=language))

    assert made("c++")(1.0) == 2.0
    with pytest.raises(clinch.HookError) as error:
        made("c")
    told, = error.value.diagnostics
    name = {"d": "PASTE", "O": "OWN"}[member[0]] if "TOTAL" not in member else "TOTAL"
    assert (told["origin"], told["line"]) == (
        "`Pasting.c_support_code_struct` for `node_3`", 1)
    assert told["message"] == (
        f"a member that the macro `{name}` declares or names needs C++: return "
        "\"c++\" from c_compiler, or write it out")
