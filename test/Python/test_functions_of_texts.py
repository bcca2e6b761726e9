"""Functions of C text, called by their names."""

import ctypes
import gc
import threading

import numpy
import pytest

import clinch


def test_a_function_is_one_object():
    text = clinch.compile("double half(double x) { return x / 2; }")
    assert text.half is text.half
    assert ctypes.cast(text.half, ctypes.c_void_p).value == text.lookup("half")
    assert text.half.address == text.lookup("half")
    assert repr(text.half) == "<C function `double half(double)`>"
    with pytest.raises(TypeError, match="^`double half\\(double\\)` takes no keyword arg"):
        text.half(x=2.0)


NUMBERS = {
    "signed char": "int8", "unsigned char": "uint8", "short": "int16",
    "unsigned short": "uint16", "int": "int32", "unsigned": "uint32", "long": "int64",
    "unsigned long": "uint64", "long long": "int64", "float": "float32",
    "double": "float64", "_Bool": "bool",
}


@pytest.mark.parametrize("name, dtype", NUMBERS.items())
def test_numbers_of_every_type(name, dtype):
    """At their limits, and with all registers and more in use."""
    text = clinch.compile(f"""
        typedef {name} T;
        T same(T a) {{ return a; }}
        T last(double a, T b, float c, T d, long e, T f, signed char g, T h, double *i, T j) {{
          *i = a + c + e + g;
          return j;
        }}""")
    kind = numpy.dtype(dtype)
    if kind.kind in "iu":
        low, high = numpy.iinfo(kind).min, numpy.iinfo(kind).max
        for value in (low, high, low + 1, 0, 1, max(low, -1), min(high, 2 ** 30)):
            assert text.same(value) == value
        for value in (low - 1, high + 1, 2 ** 200, -2 ** 200):
            with pytest.raises(OverflowError):
                text.same(value)
        with pytest.raises(TypeError):
            text.same(1.0)
    elif kind.kind == "f":
        for value in (0.1, -0.0, float("inf"), 1e300, 5e-324, 7, numpy.float64(2.5)):
            with numpy.errstate(over="ignore"):
                found = text.same(value)
                expected = kind.type(value)
            assert (found, numpy.signbit(found)) == (expected, numpy.signbit(expected))
        with pytest.raises(OverflowError):
            text.same(10 ** 400)
    out = numpy.zeros(1)
    given = [1, 0, 1]
    assert text.last(0.5, given[0], 0.25, given[1], 8, given[2], -1, 0, out, 1) == 1
    assert out[0] == 7.75


@pytest.mark.parametrize("name", ["long", "double"])
@pytest.mark.parametrize("count", range(5))
def test_all_numbers_of_one_kind(name, count):
    terms = "".join(f" + {10 ** n} * x{n}" for n in range(count))
    f = clinch.compile(f"{name} f({', '.join(f'{name} x{n}' for n in range(count))})"
                       f" {{ return 7000000{terms}; }}").f
    given = [3, 2 ** 40, -1, 5][:count]
    expected = 7000000 + sum(10 ** n * x for n, x in enumerate(given))
    assert f(*given) == expected
    for wrong, names in ((given + [1], {}), (given[1:] + ["x"], {}), (given, {"x": 1})):
        with pytest.raises(TypeError):
            f(*wrong, **names)


def test_other_threads_run_while_a_function_loops():
    text = clinch.compile("""
        void wait_for(const volatile long *flag) { while (!*flag) ; }
        long again(const volatile long *flag) { return *flag ? 7 : again(flag); }""")
    for wait in (text.wait_for, text.again):
        flag = numpy.zeros(1, "int64")
        waiting = threading.Thread(target=wait, args=(flag,))
        waiting.start()
        flag[0] = 1
        waiting.join()
    assert "b\t" not in text._text.types


@pytest.mark.parametrize("body, brief", [
    ("return sqrt(x) + fmax(x, 2.0);", True),
    ("if (x > 0) { double y = x; return y; } return x ? 1.0 : -x;", True),
    ("return other(x);", False), ("while (x < 1) x += 1; return x;", False),
    ("a: x += 1; if (x < 1) goto a; return x;", False),
    ("return ({ x; });", False), ("__asm__(\"\"); return x;", False),
    ("return printf(\"\") + x;", False), ("static double y; return y += x;", False),
])
def test_what_returns_at_once(body, brief):
    text = clinch.compile("#include <math.h>\n#include <stdio.h>\n"
                          "static double other(double x) { return x; }\n"
                          f"double f(double x) {{ {body} }} void *unused = other;")
    assert text._types.brief == ({"f"} if brief else set())


def test_instances_of_templates():
    text = clinch.compile("""
        template <class T> T axpy(T a, T x, T y) { return a * x + y; }
        template double axpy<double>(double, double, double);
        template <> unsigned axpy<unsigned>(unsigned a, unsigned x, unsigned y) { return a; }
        namespace n { template <class T, int N> T add(T a) { return a + N; } }
        template long n::add<long, 3>(long);
    """, language="c++")
    assert text.functions == {
        "axpy<double>": "double axpy<double>(double, double, double)",
        "axpy<unsigned int>": "unsigned int axpy<unsigned int>(unsigned int, unsigned int,"
                              " unsigned int)",
        "n::add<long, 3>": "long n::add<long, 3>(long)"}
    assert text["axpy<double>"](2, 3, 1) == 7.0
    assert text["axpy< unsigned int >"](2, 3, 1) == 2
    assert text["double axpy<double>(double, double, double)"](2, 3, 1) == 7.0
    assert text["n::add<long,3>"](4) == 7
    with pytest.raises(AttributeError, match="^the text defines no 'axpy<float>'; did "):
        text["axpy<float>"]
    with pytest.raises(TypeError, match="^the text defines 2 functions `axpy`"):
        text.axpy


def test_functions_by_declaration():
    text = clinch.compile("double half(double x) { return x / 2; }\n"
                          "long sum(const long *x, int n) {\n"
                          "  long s = 0;\n"
                          "  while (n--) s += *x++;\n"
                          "  return s;\n}")
    assert text["double half(double x)"](3) == 1.5
    numbers = (ctypes.c_long * 3)(1, 2, 3)
    assert text["long sum(const long *x, int n)"](numbers, 3) == 6


def test_functions_by_name():
    text = clinch.compile("namespace ns { int inner(int x) { return x + 1; } }"
                          "int g(int x) { return x; } double g(double x) { return x; }",
                          language="c++")
    assert text["ns::inner"](1) == text["int ns::inner(int)"](1) == 2
    assert text["int ns::inner(int x);"] is not None
    with pytest.raises(TypeError, match="^the text defines 2 functions `g`: "):
        text["g"]
    with pytest.raises(AttributeError, match="^the text defines no 'nothing'$"):
        text["nothing"]


THROWS = """
#include <stdexcept>
struct odd { int n; };
int f(int k) { if (k == 1) throw std::invalid_argument("k is 1"); return k; }
double g(double x) { if (x < 0) throw 42; return x; }
void h(int k) { if (k) throw odd{k}; }
"""


def test_what_cxx_throws_is_raised():
    text = clinch.compile(THROWS, language="c++")
    for _ in range(2):
        assert (text.f(2), text.g(3.0), text.h(0)) == (2, 3.0, None)
        for call, message in (
                (lambda: text.f(1), "`int f(int)` threw `std::invalid_argument`: k is 1"),
                (lambda: text.g(-1), "`double g(double)` threw `int`"),
                (lambda: text.h(1), "`void h(int)` threw `odd`")):
            with pytest.raises(RuntimeError) as raised:
                call()
            assert str(raised.value) == message


def test_a_function_is_called_as_the_text_defines_it():
    text = clinch.compile("double f(double x) { return 2 * x; }\n"
                          "int g(int n) { return n; }\n"
                          "unsigned char b(unsigned char n) { return n; }\n"
                          "void nothing(void) {}\n"
                          "static int hidden(int n) { return n; }\n"
                          "int variable = 3;")
    assert (text.f(3), text.f(1.5), text.g(-7)) == (6.0, 3.0, -7)
    assert (text.b(255), text.nothing()) == (255, None)
    assert text.f.__doc__ == "double f(double)"
    for declaration in ("float f(float)", "int f(int)", "double f(double, int)",
                        "double f(void)", "double f(double *)",
                        "double f(double, ...)", "const char *f(double x);"):
        with pytest.raises(TypeError) as raised:
            text[declaration]
        assert str(raised.value) == (f"the text defines `double f(double)`, not "
                                     f"`{declaration.rstrip(';')}`")
    for name in ("hidden", "h"):
        with pytest.raises(AttributeError) as raised:
            getattr(text, name)
        assert str(raised.value) == f"the text defines no {name!r}"


@pytest.mark.parametrize("call, message", [
    (lambda t: t.g("a"), "argument 1: 'str' object cannot be "
                         "interpreted as an integer"),
    (lambda t: t.g(1.5), "argument 1: 'float' object cannot be "
                         "interpreted as an integer"),
    (lambda t: t.g(2 ** 40), "argument 1: 1099511627776 is not "
                             "between -2147483648 and 2147483647"),
    (lambda t: t.u(1, -1), "argument 2: -1 is not between 0 and "
                           "18446744073709551615"),
    (lambda t: t.f("a"), "argument 1: must be real number, not str"),
    (lambda t: t.f(), "`double f(double)` takes 1 arguments, and 0 were given"),
    (lambda t: t.f(1, 2), "`double f(double)` takes 1 arguments, and 2 were "
                          "given"),
    (lambda t: t.v, "`int v(int, ...)` cannot be called from Python: a function of "
                    "variable arguments is called from C alone"),
])
def test_what_a_function_cannot_take(call, message):
    text = clinch.compile("double f(double x) { return 2 * x; }\n"
                          "int g(int n) { return n; }\n"
                          "unsigned long u(int a, unsigned long n)"
                          " { return n; }\n"
                          "int v(int n, ...) { return n; }")
    assert (text.g(2 ** 31 - 1), text.u(1, 2 ** 64 - 1)) == (2 ** 31 - 1,
                                                             2 ** 64 - 1)
    with pytest.raises((TypeError, OverflowError)) as raised:
        call(text)
    assert str(raised.value) == message


@pytest.mark.parametrize("declaration", [
    "long f(unsigned, const char *, real, int64_t *, enum kind, long *)",
    "npy_intp f(unsigned int n, char *s, double x, long *p, unsigned k,"
    " npy_int64 q[])",
    "int64_t f(const unsigned int, char const *, real, long p[3], unsigned k,"
    " long int *)",
    "signed long f(unsigned n, const char s[], double, long *, kind, long *);",
])
def test_one_signature_has_many_spellings(declaration):
    text = clinch.compile("typedef double real; typedef long int64_t;\n"
                          "enum kind { ONE };\n"
                          "long f(unsigned n, const char *s, real x, int64_t *p,"
                          " enum kind k, long q[2]) { return n + s[0] + *p; }")
    three = ctypes.c_long(3)
    assert text[declaration](1, b"\x02", 0, ctypes.byref(three), 0, None) == 6


def test_an_address_is_a_void_pointer():
    text = clinch.compile("double *next(double *p) { return p + 1; }")
    numbers = (ctypes.c_double * 2)(1, 2)
    address = ctypes.addressof(numbers)
    assert text["void *next(void *)"](address) == address + 8
    assert text.next(numbers)[0] == 2.0
    with pytest.raises(TypeError):
        text["void *next(long)"]


def test_arrays_are_pointers_to_their_items():
    text = clinch.compile("""
    double total(const double *x, long n) {
      double sum = 0;
      for (long i = 0; i < n; ++i)
        sum += x[i];
      return sum;
    }
    void twice(double x[], long n) {
      for (long i = 0; i < n; ++i)
        x[i] *= 2;
    }
    int first(const void *p) { return *(const int *)p; }
    """)
    x = numpy.arange(4.0)
    text.twice(x, 4)
    assert (x.tolist(), text.total(x, 4)) == ([0, 2, 4, 6], 12.0)
    assert text["void twice(double *, long)"](x[2:], 2) is None
    assert x.tolist() == [0, 2, 8, 12]
    assert text.first(numpy.array([7, 8], "int32")) == 7
    x.flags.writeable = False
    assert text.total(x, 4) == 22.0
    for call, message in (
            (lambda: text.twice(x, 4), "the array is read-only, and the parameter is no "
             "pointer to `const`"),
            (lambda: text.total(x.astype("float32"), 4),
             "expected an array of float64, not of float32"),
            (lambda: text.total(x[::2], 2), "expected an array whose items stand one "
             "after another; `numpy.ascontiguousarray` makes one")):
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == f"argument 1: {message}"


def test_functions_of_c_plus_plus_have_names():
    text = clinch.compile("namespace a { int f(int n) { return n; }\n"
                          "double f(double x) { return 2 * x; } }\n"
                          "int once(int n) { return n + 1; }\n"
                          "int r(int &&n) { return n; }", language="c++")
    assert text.once(1) == text["int once(int)"](1) == text._Z4oncei(1) == 2
    assert getattr(text, "_ZN1a1fEd")(1.5) == 3.0
    with pytest.raises(TypeError) as raised:
        getattr(text, "a::f")
    assert str(raised.value) == (
        "the text defines 2 functions `a::f`: `int a::f(int)`, "
        "`double a::f(double)`; write text[...] with the declaration of one")
    with pytest.raises(TypeError) as raised:
        text.r
    assert str(raised.value) == ("`int r(int &&)` cannot be called from Python: "
                                 "'int &&' is no C type that is known here")


def test_signatures_come_with_the_code(tmp_path):
    """From the disk, from a pickle, and from a process of its own."""
    import pickle
    before, clinch.config.cache_dir = clinch.config.cache_dir, tmp_path
    try:
        source = "double halved(float x) { return x / 2; }"
        for cache in ("miss", "hit"):
            text = clinch.compile(source)
            assert text.stats["cache"] == cache
            assert text.halved(3) == 1.5
            del text
            gc.collect()
        assert pickle.loads(pickle.dumps(clinch.compile(source))).halved(3) == 1.5
        apart = clinch.compile(source + " ", isolation="process")
        assert apart.halved(3) == 1.5
    finally:
        clinch.config.cache_dir = before


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
