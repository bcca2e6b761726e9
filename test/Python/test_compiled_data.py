"""The data of a compiled text: variables, structs, unions, enums, functions that C
calls."""

import ctypes
import enum
import gc
import pickle
import threading

import numpy
import pytest

import clinch

TEXT = """
typedef struct point { double x; int y; } point;
struct line { point from, to; struct line *next; char name[8]; };
enum colour { RED, GREEN = 5, LAST = -1 };
union bits { float f; unsigned u; };
typedef struct { unsigned low : 3, high : 5; } flags;
struct __attribute__((packed)) tight { char c; double d; };
struct aligned { char c; _Alignas(32) double d; };
struct outer { int kind; union { int i; double d; }; };

int counter = 3;
const double limit = 2.5;
double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
const int fixed[2] = {7, 8};
point origin = {1.5, 2};
enum colour paint = GREEN;
const char *greeting = "hello";
static int hidden = 9;

point twice(point p) { p.x *= 2; p.y *= 2; return p; }
double reach(const point *p) { return p->x + p->y; }
void move(point *p, double by) { p->x += by; }
enum colour next(enum colour c) { return c == RED ? GREEN : LAST; }
int length(const struct line *l) { int n = 0; for (; l; l = l->next) ++n; return n; }
unsigned raw(const union bits *b) { return b->u; }
unsigned both(const flags *f) { return f->high * 10 + f->low; }
double tight_d(const struct tight *t) { return t->d; }
double aligned_d(struct aligned *a) { return a->d; }
double outer_d(struct outer *o) { return o->d; }
int count(void) { return ++counter + hidden; }
double apply(double (*f)(double, int), double x) { return f(x, 3) + 1; }
double half(double x, int n) { return x / 2 + n; }
void each(const int *items, int n, void (*visit)(int)) {
  for (int i = 0; i < n; ++i) visit(items[i]);
}
"""


@pytest.fixture(scope="module", params=["c", "c++"])
def text(request):
    given = TEXT.replace("_Alignas", "alignas") if request.param == "c++" else TEXT
    if request.param == "c++":
        # A constant is its text's own in C++ unless it says otherwise.
        given = given.replace("const double limit", "extern const double limit") \
            .replace("const int fixed", "extern const int fixed")
    return clinch.compile(given, language=request.param)


def test_numbers_are_read_and_written(text):
    assert text.counter == 3
    before = text.count()
    assert before == 4 + 9
    text.counter = 10
    assert text.count() == 20
    assert text.counter == 11
    text.counter = 3


def test_a_constant_is_not_written(text):
    assert text.limit == 2.5
    with pytest.raises(AttributeError, match="^`limit` is constant$"):
        text.limit = 3.0
    assert text.limit == 2.5


def test_arrays_are_numpys_and_show_the_items(text):
    assert text.table.tolist() == [[1, 2, 3], [4, 5, 6]]
    text.table[0, 1] = 20
    assert text.table[0].tolist() == [1, 20, 3]
    text.table = numpy.array([[1, 2, 3], [4, 5, 6]])
    assert text.table[0].tolist() == [1, 2, 3]
    assert text.fixed.tolist() == [7, 8]
    with pytest.raises(ValueError, match="read-only"):
        text.fixed[0] = 1


def test_an_array_keeps_its_text_loaded():
    items = clinch.compile("int items[3] = {1, 2, 3};").items
    gc.collect()
    assert items.tolist() == [1, 2, 3]


def test_structs(text):
    assert repr(text.origin) == "point(x=1.5, y=2)"
    made = text.point(x=2.0, y=3)
    assert repr(text.twice(made)) == "point(x=4.0, y=6)"
    assert text.reach(made) == 5.0
    text.move(made, 0.5)
    assert made.x == 2.5
    text.origin.x = 4.0
    assert text.origin.x == 4.0
    text.origin = 1.5, 2
    assert (text.origin.x, text.origin.y) == (1.5, 2)
    with pytest.raises(TypeError, match="^expected a point, not a float$"):
        text.origin = 1.0


def test_structs_that_point_to_one_another(text):
    last = text.line(name=b"last")
    first = text.line(next=last)
    del last
    assert text.length(first) == 2
    assert first.next.name == first.next[0].name == b"last"
    first.next.name = b"other"
    assert first.next.name == b"other" and first.next == first.next
    assert text.length(None) == 0


def test_layouts(text):
    assert text.raw(text.bits(f=1.0)) == 0x3f800000
    assert text.both(text.flags(low=5, high=17)) == 175
    tight = text.tight(d=2.5)
    assert len(bytes(tight)) == 9
    assert text.tight_d(tight) == 2.5
    aligned = text.aligned(d=1.5)
    assert len(bytes(aligned)) == 64
    assert text.aligned_d(aligned) == 1.5
    assert text.outer_d(text.outer(d=0.25)) == 0.25


def test_a_struct_with_the_name_of_a_function():
    text = clinch.compile("struct s { int a; }; struct s s(int a) "
                          "{ return (struct s){a}; }")
    made = text.s(3)
    assert repr(made) == "s(a=3)"
    assert isinstance(made, text["struct s"])


def test_enums(text):
    assert issubclass(text.colour, enum.IntEnum)
    assert {c.name: c.value for c in text.colour} == {"RED": 0, "GREEN": 5, "LAST": -1}
    assert text.next(text.colour.RED) is text.colour.GREEN
    assert text.next(5) is text.colour.LAST
    assert text.paint is text.colour.GREEN
    text.paint = text.colour.RED
    assert text.paint is text.colour.RED
    text.paint = 5


def test_strings(text):
    assert text.greeting == b"hello"
    length = clinch.compile("int length(const char *s) { return __builtin_strlen(s); }")
    assert [length.length(s) for s in (b"abc", "abc", "a\xe4")] == [3, 3, 3]
    writes = clinch.compile("void f(char *s) { *s = 0; }")
    for given in (b"abc", "abc"):
        with pytest.raises(TypeError) as raised:
            writes.f(given)
        assert str(raised.value) == (
            "argument 1: C may write to a `char *` that is not `const`: give it a bytearray "
            "or an array, not bytes")
    for given in (bytearray(b"abc"), numpy.zeros(4, "i1"), numpy.ones(4, "u1"),
                  numpy.array([b"abc"])):
        writes.f(given)
        assert bytes(given)[0] == 0


def test_c_calls_functions_of_python(text):
    assert text.apply(lambda x, n: x * n, 2.0) == 7.0
    assert text.apply(text.half, 2.0) == 5.0
    seen = []
    text.each(numpy.array([3, 4, 5], "int32"), 3, seen.append)
    assert seen == [3, 4, 5]
    with pytest.raises(TypeError, match="^argument 1: expected a function, not a int$"):
        text.apply(5, 2.0)


def test_what_a_called_function_raises_comes_through(text):
    def fails(x, n):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        text.apply(fails, 1.0)
    # One that calls another, too.
    with pytest.raises(KeyError, match="mine"):
        text.apply(lambda x, n: text.apply(fails, 1.0), 1.0)
    assert text.apply(lambda x, n: 1.0, 1.0) == 2.0


@pytest.mark.parametrize("name, returned, error, message", [
    ("once", 2 ** 40 + 5, OverflowError,
     "1099511627781 is not between -2147483648 and 2147483647"),
    ("once", 2.5, TypeError, "'float' object cannot be interpreted as an integer"),
    ("once", None, TypeError, "'NoneType' object cannot be interpreted as an integer"),
    ("twice", "abc", TypeError, None), ("twice", None, TypeError, None)])
def test_a_result_that_does_not_fit_is_raised(name, returned, error, message, capfd):
    text = clinch.compile("int once(int (*f)(int)) { return f(3); }"
                          "double twice(double (*f)(double)) { return f(f(1)); }")
    for _ in range(2):
        with pytest.raises(error) as raised:
            getattr(text, name)(lambda x: returned)
        assert message in (None, str(raised.value))
    assert text.once(lambda x: x + 1) == 4
    assert text.twice(lambda x: True) == 1.0
    assert capfd.readouterr() == ("", "")


def test_a_variable_that_has_no_code_is_no_attribute():
    text = clinch.compile('inline int level = 8; inline int used = 9;'
                          'extern "C" int f() { return used; }', language="c++")
    assert text.used == text.f() == 9
    for use in (lambda: text.level, lambda: setattr(text, "level", 3)):
        with pytest.raises(AttributeError) as raised:
            use()
        assert str(raised.value) == ("the text defines `level` and does not use it, so "
                                     "that the compiler left it out")
    assert not hasattr(text, "level")


def test_what_is_raised_in_another_thread_comes_through():
    text = clinch.compile("""
        #include <pthread.h>
        static void *run(void *f) { ((void (*)(void))f)(); return 0; }
        int apart(void (*f)(void)) {
          pthread_t thread;
          return pthread_create(&thread, 0, run, (void *)f) ||
                 pthread_join(thread, 0);
        }
        """)
    seen = []
    assert text.apart(lambda: seen.append(threading.get_ident())) == 0
    assert seen[0] != threading.get_ident()

    def fails():
        raise KeyError("there")

    with pytest.raises(KeyError, match="there"):
        text.apart(fails)


def test_an_address_is_a_function():
    text = clinch.compile("double half(double x) { return x / 2; }"
                          "double apply(double (*f)(double)) { return f(3); }")
    assert text.apply(ctypes.c_void_p(text.lookup("half"))) == 1.5


def test_what_there_is(text):
    assert text.functions["half"] == "double half(double, int)"
    assert {"half", "counter", "point", "colour", "line"} <= set(dir(text))
    with pytest.raises(AttributeError, match="^the text defines no 'nothing'$"):
        text.nothing
    with pytest.raises(AttributeError, match="^the text defines no variable 'nothing'$"):
        text.nothing = 1
    assert "hidden" not in dir(text)


def test_it_is_the_same_from_a_pickle(text):
    other = pickle.loads(pickle.dumps(text))
    assert repr(other.twice(other.point(1.0, 2))) == "point(x=2.0, y=4)"
    assert other.counter == text.counter


def test_types_of_headers_are_addresses():
    text = clinch.compile('#include <stdio.h>\nint is_null(FILE *f) { return !f; }')
    assert text.is_null(None) == 1
    assert text.is_null(ctypes.c_void_p(8)) == 0


def test_texts_with_pythons_headers_have_no_types_of_theirs():
    text = clinch.compile("PyObject *same(PyObject *o) { Py_INCREF(o); return o; }",
                          python=True)
    assert text.same(text) is text
    assert text._text.types.splitlines() == ["f\tsame\t*_object\t*_object"]


def test_classes_of_cxx_that_are_no_data_are_addresses():
    text = clinch.compile("struct base { virtual int f() { return 4; } }; base b;"
                          "base *get() { return &b; }"
                          "int ask(base *p) { return p->f(); }", language="c++")
    assert text.ask(text.get()) == 4
    with pytest.raises(TypeError, match="^`b` cannot be read from Python: "):
        text.b
