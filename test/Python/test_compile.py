"""C text to functions, and the stages of a function."""

import ctypes
import gc
import weakref

import pytest

import clinch
from clinch import double, function


def test_functions_by_declaration():
    text = clinch.compile("double half(double x) { return x / 2; }\n"
                          "long sum(const long *x, int n) {\n"
                          "  long s = 0;\n"
                          "  while (n--) s += *x++;\n"
                          "  return s;\n}")
    assert text["double half(double x)"](3) == 1.5
    numbers = (ctypes.c_long * 3)(1, 2, 3)
    assert text["long sum(const long *x, int n)"](numbers, 3) == 6


def test_functions_as_from_ctypes():
    half = clinch.compile("double half(double x) { return x / 2; }").half
    half.restype, half.argtypes = ctypes.c_double, [ctypes.c_double]
    assert half(3.0) == 1.5


def test_functions_on_python_objects():
    text = clinch.compile(
        "PyObject *pair(PyObject *a) { return Py_BuildValue(\"OO\", a, a); }\n"
        "PyObject *bad(void) {\n"
        "  PyErr_SetString(PyExc_KeyError, \"no\");\n  return NULL;\n}",
        python=True)
    one = []
    assert text["PyObject *pair(PyObject *)"](one) == (one, one)
    with pytest.raises(KeyError):
        text["PyObject *bad(void)"]()


def test_c_plus_plus():
    text = clinch.compile("template <class T> T twice(T x) { return x + x; }\n"
                          "extern \"C\" int four(void) { return twice(2); }",
                          language="c++")
    assert text["int four(void)"]() == 4


def test_a_function_keeps_its_code():
    text = clinch.compile("int seven(void) { return 7; }")
    seven = text["int seven(void)"]
    gone = weakref.ref(text)
    del text
    gc.collect()
    assert seven() == 7
    del seven
    gc.collect()
    assert gone() is None


def test_symbols_of_the_host():
    callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 42)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    text = clinch.compile("int host(void); int f(void) { return host(); }",
                          symbols={"host": address})
    assert text["int f(void)"]() == 42


def test_what_cannot_be():
    with pytest.raises(clinch.CompileError) as error:
        clinch.compile("int f(void) { return x; }", "mine.c")
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic["origin"], diagnostic["line"], diagnostic["column"],
            diagnostic["severity"], diagnostic["message"]) == (
        "mine.c", 1, 22, "error", "use of undeclared identifier 'x'")
    assert str(error.value) == (
        "The text does not compile: 1 error.\n"
        "mine.c:1:22: error: use of undeclared identifier 'x'\n"
        "  int f(void) { return x; }\n"
        "                       ^")
    with pytest.raises(AttributeError, match=r"^the text defines no 'g'(\n|$)"):
        clinch.compile("int f(void) { return 1; }").g
    with pytest.raises(clinch.LinkError, match="`nowhere`"):
        clinch.compile("int nowhere(void); int f(void) { return nowhere(); }")
    with pytest.raises(ValueError, match="There is no tier `warp`"):
        clinch.compile("int f(void) { return 1; }", tier="warp")
    with pytest.raises(TypeError, match="needs text, not a int"):
        clinch.compile(3)


@pytest.mark.parametrize("stage, part", [
    ("graph", "add"), ("labels", "label_4"), ("blocks", "c_code"),
    ("c", "int clinch_run(void *clinch_memory)"),
    ("llvm", "define "), ("llvm-opt", "clinch_run"),
])
def test_every_stage_is_text(stage, part):
    x, y = double("x"), double("y")
    assert part in function([x, y], x + y).emit(stage)


def test_the_object_is_bytes():
    x, y = double("x"), double("y")
    f = function([x, y], x + y)
    assert f.emit("obj")[:4] == b"\x7fELF"
    with pytest.raises(ValueError, match="^there is no stage 'wasm'; there "):
        f.emit("wasm")


def test_apply_by_apply_each_has_its_stages():
    x, y = double("x"), double("y")
    f = function([x, y], (x + y) * y, linker="op")
    text = f.emit("c")
    first, second = text.split("// apply 2 of 2: mul(add(x, y), y)\n")
    assert first.startswith("// apply 1 of 2: add(x, y)\n")
    assert "V3 = V1 + V2;" in first and "V3 = V1 * V2;" in second
    assert f.emit("llvm").count("define i32 @clinch_run") == 2
    assert f.emit("graph").count("add") >= 1
    with pytest.raises(ValueError, match="^a function with linker=\"op\" is "):
        f.emit("obj")


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_local_labels_of_assembly_are_those_of_one_text(tier):
    for number in range(4):
        text = clinch.compile(
            f"int more{number}(int k) {{ __asm__ volatile "
            '("jmp 1f\\n1: incl %0" : "+r"(k)); return k; }', tier=tier)
        assert text[f"int more{number}(int)"](number) == number + 1
