"""Several texts that are one program."""

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


def linked(first=FIRST, *others, **options):
    options.setdefault("language", "c++")
    objects = [clinch.compile_object(text, **options) for text in others]
    return clinch.compile(first, objects=objects, **options)


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


def test_functions_of_others_are_found_by_name():
    text = linked("int one(void) { return 1; }", "int two(void) { return 2; }",
                  language="c")
    assert list(text.functions) == ["one"] and text.lookup("two") is not None
    assert text.lookup("three") is None


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


def test_two_definitions_of_one_function():
    with pytest.raises(clinch.LinkError) as caught:
        linked("int f(void) { return 1; }", "int f(void) { return 2; }", language="c")
    assert str(caught.value) == ("The texts that are linked both define `f`: expected "
                                 "one definition, or `static` or `inline` ones.")


@pytest.mark.parametrize("objects, kind, message", [
    ([b""], clinch.LinkError, "The object file cannot be loaded: expected an ELF header"),
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
