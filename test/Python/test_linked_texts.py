"""Several texts that are one program."""

import ctypes
import gc
import pickle

import pytest

import clinch

SHARED = """
inline int counter = 1;
inline thread_local int mine = 10;
template <typename T> struct holder { static T kept; };
template <typename T> T holder<T>::kept = 5;
inline int where() { return 1; }
"""
OTHER = SHARED + """
extern "C" int add(int n) { counter += n; mine += n; holder<int>::kept += n;
                            return where(); }
"""
FIRST = SHARED + """
extern "C" int add(int);
extern "C" int count(int n) { add(n); return counter; }
extern "C" int of_thread(int n) { add(n); return mine; }
extern "C" int of_template(int n) { add(n); return holder<int>::kept; }
"""


def linked(*texts, **options):
    options.setdefault("language", "c++")
    return clinch.link(texts, **options)


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_inline_variables_are_one(tier):
    """Each text had its own, without a word: Stan's gradients were 0."""
    # Until the collector comes, a program before this one may still be there.
    texts = [text.replace("mine", "of_" + tier) for text in (FIRST, OTHER)]
    text = linked(*texts, tier=tier)
    assert (text.count(2), text.count(3)) == (3, 6)
    assert text.of_thread(1) == 16 and text.of_template(1) == 12


def test_hidden_thread_local_variables_are_each_programs_own():
    """As in two shared libraries."""
    made = [clinch.compile(f"""
        inline thread_local int hidden_one = {n};
        __attribute__((visibility("default"))) int f() {{ return hidden_one++; }}""",
        language="c++", flags=["-fvisibility=hidden"]) for n in (1, 7)]
    assert [text.f() for text in made * 2] == [1, 7, 2, 8]


def test_texts_use_each_other():
    text = linked("int odd(int); int even(int n) { return n ? odd(n - 1) : 1; }",
                  "int even(int); int odd(int n) { return n ? even(n - 1) : 0; }",
                  language="c")
    assert text.even(10) == 1 and text.even(7) == 0


def test_global_objects_of_every_text_are_made():
    """Also of one that the first does not name."""
    text = linked("""
        int &number() { static int made = 0; return made; }
        static struct maker { maker() { number() += 1; } } it;
        extern "C" int made() { return number(); }""", """
        int &number();
        static struct maker { maker() { number() += 7; } } it;""")
    assert text.made() == 8


def test_functions_and_data_of_all_are_known_by_name():
    """A struct of two texts is one, as a header would have it; of one name, two."""
    point = "struct point { double x, y; };\n"
    text = clinch.link([
        point + "struct own { int a; }; int of(struct own s) { return s.a; }"
        "double sum(const struct point *p) { return p->x + p->y; }",
        (point + """enum colour { RED = 3 }; enum colour paint = RED; int calls;
         struct line { struct point from, *to; }; struct own { double b; };
         double of_own(struct own s) { return s.b; }
         double length(struct line s) { return ++calls + s.from.x - s.to->x; }
         """, {"name": "lines.c"})])
    assert text.functions == {
        "of": "int of(struct own)", "sum": "double sum(const struct point *)",
        "of_own": "double of_own(struct own)", "length": "double length(struct line)"}
    to = text.point(x=1, y=5)
    line = text.line(text.point(x=4), to)
    assert (text.sum(to), text.length(line), text.length(line)) == (6, 4, 5)
    assert text.paint is text.colour.RED and text.calls == 2
    assert text.of(text.own(a=7)) == 7
    with pytest.raises(TypeError):
        text.of_own(text.own(a=7))
    assert text.lookup("length") is not None and text.lookup("three") is None


def test_texts_have_options_of_their_own(tmp_path):
    (tmp_path / "own.h").write_text("#define OWN 3\n")
    text = clinch.link([
        "int of_c(void), of_cxx(void); int f(void) { return of_c() * 10 + of_cxx(); }",
        ('#include "own.h"\nint of_c(void) { return OWN; }',
         {"include_dirs": [str(tmp_path)]}),
        ('extern "C" int of_cxx() { return [] { return N; }(); }',
         {"language": "c++", "defines": ["N=4"]})], threads=1, tier="fast")
    assert text.f() == 34


def test_what_clang_warns_of_names_the_text():
    with pytest.warns(clinch.CompileWarning, match="`?second`?, line 2: using the result"):
        clinch.link(["int f(void);\n",
                     ("\nint g(int x) { if (x = 1) return 2; return x; }", {"name": "second"})])


def test_an_object_wins_over_a_library_of_the_process():
    text = linked("double cos(double); double f(double x) { return cos(x); }",
                  "double cos(double x) { return x + 1; }",
                  language="c", flags=["-fno-builtin"])
    assert text.f(2.0) == 3.0


def test_other_objects_are_other_code():
    first = "int other(void); int f(void) { return other(); }"
    made = [linked(first, f"int other(void) {{ return {n}; }}", language="c")
            for n in (1, 2)]
    assert [text.f() for text in made] == [1, 2]


def test_a_pickle_takes_the_objects_along():
    first = "int other(void); int f(void) { return other(); }"
    made = [linked(first, f"int other(void) {{ return {n}; }}", language="c")
            for n in (3, 4)]
    pickles = [pickle.dumps(text) for text in made]
    del made
    assert [pickle.loads(data).f() for data in pickles] == [3, 4]


@pytest.mark.parametrize("texts, message, places", [
    (["int f(void);\nint g(void) { return f(); }",
      "\n\nvoid none(void); void h(void) { none(); }"],
     "Symbols are missing: ", [("text 1", 2, 22, "`f` is used, and nothing defines it."),
                               ("text 2", 3, 33, "`none` is used, and nothing defines it.")]),
    (["int f(void) { return 1; }", ("\n int f(void) { return 2; }", {"name": "two"})],
     "The texts that are linked both define `f`: ",
     [("text 1", 1, 1, "`f` is defined."), ("two", 2, 2, "`f` is defined.")]),
    ([("int f(int x) { return x; }", {"language": "c++"}),
      ("int f(int x) { return x; }", {"language": "c++"})],
     "The texts that are linked both define `f(int)`: ",
     [("text 1", 1, 1, "`f(int)` is defined."), ("text 2", 1, 1, "`f(int)` is defined.")]),
    (["int f(void);", "\nint g(void) { return x; }"],
     "The text does not compile: 1 error.",
     [("text 2", 2, 22, "use of undeclared identifier 'x'")]),
])
def test_errors_name_the_texts_and_lines(texts, message, places):
    with pytest.raises(clinch.CompileError) as caught:
        clinch.link(texts)
    assert caught.value.message.startswith(message)
    assert [(d["origin"], d["line"], d["column"], d["message"])
            for d in caught.value.diagnostics] == places


def test_native_thread_local_variables_are_refused():
    """Objects of other compilers have them."""
    with pytest.raises(clinch.LinkError) as caught:
        clinch.compile_object("thread_local int own = 5;", language="c++",
                              flags=["-fno-emulated-tls"])
    assert str(caught.value) == (
        "The thread-local variable `own` cannot be loaded, as it is a native one: expected "
        "code that is compiled with -femulated-tls, or a shared library.")


@pytest.mark.parametrize("objects, kind, message", [
    ([b""], clinch.LinkError,
     "The object file cannot be loaded: expected a relocatable ELF file for x86-64."),
    ([b"\x7fELF" + bytes(100)], clinch.LinkError, "The object file cannot be loaded"),
    (["text"], TypeError, "expected bytes, str found"),
    (5, TypeError, "'int' object is not iterable"),
])
def test_what_is_no_object(objects, kind, message):
    with pytest.raises(kind) as caught:
        clinch.compile("int f(void) { return 1; }", objects=objects)
    assert str(caught.value).startswith(message)


def test_what_is_no_text_or_option():
    with pytest.raises(TypeError, match="^compile_object.. needs text, not a bytes$"):
        clinch.compile_object(b"int x;")
    with pytest.raises(TypeError, match="^compile_object.. has no option 'tear'$"):
        clinch.compile_object("int x;", tear="fast")
    with pytest.raises(clinch.CompileError, match="unknown type name 'nit'"):
        clinch.compile_object("nit x;")


@pytest.mark.parametrize("texts, options, kind, message", [
    ([], {}, ValueError, "link() needs a text at least"),
    ("int f;", {}, TypeError, "link() needs a list of texts, not a text: `clinch.compile` "
     "takes one"),
    (["int x;", b"int y;"], {}, TypeError, "link() needs texts, or tuples of a text and "
     "its options; text 2 is a bytes"),
    ([("int x;", {"tear": "fast"})], {}, TypeError, "link() has no option 'tear'"),
    (["int x;"], {"tear": "fast"}, TypeError, "link() has no option 'tear'"),
    (["int x;"], {"key": "k"}, TypeError,
     "`key` is an option of one text: link([(text, {'key': ...}), ...])"),
])
def test_what_cannot_be_linked(texts, options, kind, message):
    with pytest.raises(kind) as caught:
        clinch.link(texts, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1)])
def test_a_weak_definition_gives_way_to_a_strong_one(tier, order):
    """The release of such a program crashed if the weak one came first."""
    texts = ["__attribute__((weak)) int f(void) { return 1; } __attribute__((weak)) int v = 1;"
             "int g(void) { return f() * 10 + v; }",
             "int f(void) { return 2; } int v = 3;",
             "__attribute__((weak)) int f(void) { return 4; } __attribute__((weak)) int v = 4;"
             "int h(void) { return f() * 10 + v; }"]
    program = clinch.link([texts[at] for at in order], tier=tier)
    assert (program.g(), program.h()) == (23, 23)
    del program
    gc.collect()
    program = clinch.link([texts[at] for at in order if at != 1], tier=tier)
    assert program.g() == program.h() == (11 if order.index(0) < order.index(2) else 44)
    del program
    gc.collect()
