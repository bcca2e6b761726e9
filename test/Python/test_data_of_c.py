"""C's data as Clang lays them out: set in Python and read in C, and the other way."""

import copy
import decimal
import fractions
import gc
import pickle
import pydoc

import numpy
import pytest

import clinch


def test_bit_fields_are_where_clang_has_them():
    text = clinch.compile("""
        struct S { int m0 : 10; signed char m1 : 3; double m2; };
        struct __attribute__((packed)) odd { char c; int a : 3; long b : 40; };
        struct d { int x; unsigned : 0; int y; };
        struct S there = {5, -3, 1.5};
        int get(const struct S *p) { return p->m1; }
        void set(struct S *p, int v) { p->m1 = v; }
        long b_of(struct odd o) { return o.b; }
        int y_of(struct d d) { return d.y; }""")
    made = text.S(m0=5, m1=-3)
    assert text.get(made) == -3
    text.set(made, 2)
    assert (made.m1, made.m0) == (2, 5)
    assert repr(text.there) == "S(m0=5, m1=-3, m2=1.5)"
    assert text.b_of(text.odd(b"c", -1, -2**39)) == -2**39
    assert text.y_of(text.d(1, 7)) == 7
    with pytest.raises(OverflowError, match="^4 is not between -4 and 3$"):
        made.m1 = 4
    assert (made.m1, made.m0) == (2, 5)


@pytest.mark.parametrize("kind, value, wrong", [
    ("long double", 2.5, "x"), ("_Complex double", 1 - 2j, "x"), ("_Float16", 0.5, "x"),
    ("_Complex float", 1 + 2j, None), ("__int128", -2**127, 2**127),
    ("unsigned __int128", 2**128 - 1, -1), ("_BitInt(37)", -2**36, 2**36),
    ("unsigned _BitInt(100)", 2**100 - 1, 2**100), ("_Complex long double", 3j, "x")])
def test_numbers_that_have_no_register_of_their_own(kind, value, wrong):
    text = clinch.compile(f"""
        typedef {kind} T;
        struct s {{ char c; T x; }};
        T kept;
        T same(T x) {{ kept = x; return x; }}
        struct s held(T x) {{ struct s s = {{1, x}}; return s; }}
        T x_of(struct s s) {{ return s.x; }}
        T through(T (*f)(T, int), T x) {{ return f(x, 3); }}""", flags=["-w"])
    assert text.same(value) == text.kept == value
    made = text.held(value)
    assert made.x == text.x_of(made) == value
    assert text.through(lambda x, n: x, value) == value
    with pytest.raises((TypeError, OverflowError)):
        text.same(wrong)
    with pytest.raises((TypeError, OverflowError)):
        text.kept = wrong
    assert text.kept == value


@pytest.mark.parametrize("kind", ["long double", "_Complex long double"])
def test_a_long_double_is_not_rounded(kind):
    text = clinch.compile(f"""
        typedef {kind} T;
        struct s {{ T x; }} held;
        T third(T x) {{ held.x = x / 3; return held.x; }}
        int is_third(T x) {{ return x == held.x; }}
        T called(T (*f)(T)) {{ return f(held.x); }}""")
    third = text.third(1)
    assert third == numpy.longdouble(1) / 3 != 1 / 3
    assert text.is_third(third) == text.is_third(text.held.x) == 1
    assert text.is_third(float(third.real)) == 0
    assert text.called(lambda x: 3 * x) == 1
    text.held = (2**64 - 1,)
    assert text.held.x == numpy.longdouble(2**64 - 1)
    with pytest.raises(OverflowError, match=f"^argument 1: {2**64 + 1} has more digits than "
                                            f"a `{kind}`$"):
        text.third(2**64 + 1)
    for wrong in (decimal.Decimal("0.1"), fractions.Fraction(1, 3), "1", None):
        with pytest.raises(TypeError, match=r"write numpy.longdouble\(value\)$"):
            text.third(wrong)
    if "Complex" not in kind:
        with pytest.raises(TypeError, match="^argument 1: expected a `long double`, not "):
            text.third(1j)


def test_integers_of_any_width():
    text = clinch.compile("""
        typedef _BitInt(300) T;
        struct s { char c; T x; unsigned _BitInt(129) y[2]; } held;
        T more(T x) { held.x = x; return x + 1; }
        T called(T (*f)(T), T x) { return f(x); }
        unsigned _BitInt(129) sum(struct s s) { return s.y[0] + s.y[1]; }""")
    assert text.more(2**298 - 1) == 2**298 and text.held.x == 2**298 - 1
    assert text.called(lambda x: -x, 2**298) == -2**298
    assert text.sum(text.s(y=[2**128, 3])) == 2**128 + 3
    for wrong in (2**299, -2**299 - 1):
        with pytest.raises(OverflowError, match=f"^argument 1: {wrong} is not between "):
            text.more(wrong)


def test_atomic_data_and_vectors():
    text = clinch.compile("""
        typedef float v4 __attribute__((vector_size(16)));
        struct s { _Atomic int n; v4 v; _Atomic(double) d; };
        struct s held = {3, {1, 2, 3, 4}, 2.5};
        _Atomic long count = 5;
        v4 many[2] = {{1}, {2, 3}};
        _Atomic long *counter(void) { return &count; }
        float at(const struct s *s, int i) { return s->v[i] + s->n + s->d; }
        float by_value(struct s s) { return s.n; }
        v4 twice(v4 v) { return v + v; }
        void each(void (*f)(v4)) { f(many[0]); }
        int plain(_Atomic int n) { return n; }""")
    assert repr(text.held) == "s(n=3, v=[1.0, 2.0, 3.0, 4.0], d=2.5)"
    text.held.v[2] = 7
    text.count += 1
    assert text.counter()[0] == text.count == 6 and text.plain(4) == 4
    assert text.at(text.held, 2) == 12.5
    assert text.at(text.s(n=1, v=[9, 8, 7, 6], d=-1), 3) == 6
    assert text.many.tolist() == [[1, 0, 0, 0], [2, 3, 0, 0]]
    assert text.s().__address__ % 16 == 0
    for name, type_ in (("by_value", "s"), ("twice", r"float\[4\]")):
        with pytest.raises(TypeError, match=f": `{type_}` has a vector, .*: take and return a "
                                            "pointer$"):
            getattr(text, name)
    with pytest.raises(TypeError, match="expected a `void \\*`"):
        text.each(lambda v: None)


def test_functions_show_their_comments():
    text = clinch.compile("""
        // Adds two numbers,
        // a and b.
        double add(double a, double b) { return a + b; }
        /** Half of it.
         *
         *  \\param x the number\tor #3 */
        double half(double x) { return x / 2; }

        int one(void) { return 1; } // Not of the next.
        int two(void) { return 2; }""")
    assert text.add.__doc__ == "double add(double, double)\n\nAdds two numbers,\na and b."
    assert text.half.__doc__ == ("double half(double)\n\nHalf of it.\n\n"
                                 "\\param x the number or #3")
    assert text.one.__doc__ == "int one(void)" and text.two.__doc__ == "int two(void)"
    shown = pydoc.render_doc(text.add, renderer=pydoc.plaintext)
    assert "double add(double, double)\n" in shown and "Adds two numbers,\n" in shown
    linked = clinch.link(["struct a { int x; };\n/* As #0 is. */ int f(struct a a)"
                          " { return a.x; }", "struct b { int x; };\n/* As #0 is. */ "
                          "int g(struct b b) { return b.x; }"])
    assert linked.g.__doc__ == "int g(struct b)\n\nAs #0 is."


@pytest.mark.parametrize("tier", ["fast", "max"])
def test_short_numbers_go_with_their_signs(tier):
    text = clinch.compile("""
        int of_char(char c) { return c; }
        int last(long a, long b, long c, long d, long e, long f, char g, short h)
        { return g * 1000 + h; }
        int called(short (*f)(char), char c) { return f(c); }
        int char_of(char (*f)(void)) { return f(); }
        enum e { A = -3 }; int value(enum e e) { return e; }
        long long wide(enum e e) { return e; }""", tier=tier)
    assert text.of_char(b"\xe9") == text.of_char(-23) == text.of_char(233) == -23
    assert text.last(0, 0, 0, 0, 0, 0, b"\xff", -2) == -1002
    assert text.called(lambda c: numpy.int16(-5), b"a") == -5
    assert text.called(lambda c: -c[0], b"\xe9") == -233
    assert text.char_of(lambda: b"\xfe") == text.char_of(lambda: -2) == -2
    assert text.value(text.e.A) == text.wide(-3) == -3


@pytest.mark.parametrize("tier", ["default", "max"])
def test_alignment_is_kept(tier):
    text = clinch.compile("""
        struct __attribute__((aligned(32))) V { double x[4]; };
        void copy(struct V *p, const struct V *q) { *p = *q; }
        double sum(struct V v, long a, long b, long c, long d, long e, long f, long g,
                   struct V w) { return w.x[0] + w.x[1] + w.x[2] + w.x[3]; }
        struct __attribute__((aligned(128))) W { int x; };
        int x_of(struct W w) { return w.x; }""", tier=tier, cpu="host")
    v, w = text.V(x=(1, 2, 3, 4)), text.V(x=(10, 20, 30, 40))
    assert text.sum(v, 1, 2, 3, 4, 5, 6, 7, w) == 100.0
    kept = []
    for _ in range(50):
        made = text.V()
        kept.append(made)
        text.copy(made, w)
        assert made == w and made.__address__ % 32 == 0
    with pytest.raises(TypeError, match="aligned to more than 64$"):
        text.x_of(text.W(3))


def test_structs_by_value():
    text = clinch.compile("""
        union u { float f; int i; };
        struct __attribute__((packed)) tight { char c; double d; };
        struct L { long double x; };
        int bits(union u u) { return u.i; }
        double d_of(struct tight t) { return t.d; }
        struct L made(double a) { struct L l = {a}; return l; }
        struct L twice(struct L (*f)(struct L), struct L x) { return f(f(x)); }""")
    assert text.bits(text.u(f=1.0)) == 0x3f800000
    assert text.d_of(text.tight(d=2.5)) == 2.5
    assert repr(text.made(2.5)) == "L(x=2.5)"
    assert text.twice(lambda one: text.L(2 * one.x), text.L(3)).x == 12.0
    for wrong in (1.0, None, text.L(1)):
        with pytest.raises(TypeError, match="^argument 1: expected a u, not a "):
            text.bits(wrong)
    with pytest.raises(TypeError, match="^expected a L, not a NoneType$"):
        text.twice(lambda one: None, text.L(3))


def test_x87_numbers_in_unions():
    """By Clang's table: half of the inner union's number alone goes to memory."""
    text = clinch.compile("""
        union in { int k; long double x; }; struct two { float a, b; long c; };
        union named { struct two a; union in b; };
        union unnamed { struct two a; union { int k; long double x; }; };
        union named f(long c) { return (union named){{1, 2, c}}; }
        union unnamed g(long c) { return (union unnamed){{1, 2, c}}; }
        long h(union named a, union unnamed b) { return a.a.c * 10 + b.a.c; }""")
    named, unnamed = text.f(4), text.g(5)
    assert (named.a.b, unnamed.a.c) == (2.0, 5)
    assert text.h(named, unnamed) == 45


def test_an_unnamed_bit_field_across_eight_bytes():
    """Clang takes a in two registers, and c in one."""
    text = clinch.compile("""
        struct __attribute__((packed, aligned(4))) a { long x : 58; long : 58; };
        struct __attribute__((packed)) b { long x : 56; long : 60; };
        struct __attribute__((packed)) c { int x; long : 62; };
        struct d { struct a a; };
        long f(struct a a, long n) { return a.x * 10 + n; }
        long g(struct b b, long n) { return b.x * 10 + n; }
        long h(struct c c, long n) { return c.x * 10 + n; }
        struct d k(void) { return (struct d){{4}}; }
        long x_of(const struct d *d) { return d->a.x; }""")
    assert (text.g(text.b(2), 6), text.h(text.c(3), 7)) == (26, 37)
    assert text.x_of(text.d(text.a(5))) == 5 and repr(text.a(8)) == "a(x=8)"
    for name, type_ in (("f", "a"), ("k", "d")):
        with pytest.raises(TypeError, match=f"`{type_}` has a vector, or an unnamed bit-field "
                                            "across eight bytes: take and return a pointer$"):
            getattr(text, name)


def test_what_does_not_fit_is_raised():
    text = clinch.compile("int n = 4; unsigned char c = 3; struct s { int i; }; "
                          "struct s v = {5}; int m[2] = {1, 2}; "
                          "void *p(void *q) { return q; }")
    for change, error in (
            (lambda: setattr(text, "n", 2**40 + 3), OverflowError),
            (lambda: setattr(text, "c", 300), OverflowError),
            (lambda: text.s(i=2**40), OverflowError),
            (lambda: setattr(text, "v", (2**40,)), OverflowError),
            (lambda: setattr(text, "m", [7, 2**33]), OverflowError),
            (lambda: setattr(text, "m", [1.9, 2.9]), TypeError),
            (lambda: setattr(text, "m", [1]), ValueError),
            (lambda: setattr(text, "n", 1.5), TypeError),
            (lambda: text.p(2**70), OverflowError), (lambda: text.p(-1), OverflowError)):
        with pytest.raises(error):
            change()
    assert (text.n, text.c, text.v.i, text.m.tolist()) == (4, 3, 5, [1, 2])
    assert text.p(2**63) == 2**63


def test_memory_keeps_what_its_pointers_lead_to():
    text = clinch.compile("""
        struct s { const char *n; int *p; struct s *next; int (*f)(int); } st;
        const char *msg = "hi";
        const char *names[2];
        int *ip;
        int (*hook)(int);
        const char *get(void) { return msg; }
        const char *name(void) { return st.n; }
        const char *second(void) { return names[1]; }
        int first(void) { return *ip; }
        int next_of(void) { return *st.next->p; }
        int called(int x) { return hook(x) + st.f(x); }""")
    long_text = "text-" + "x" * 40
    text.msg = long_text.encode()
    text.st.n = long_text
    text.names = [None, long_text]
    text.ip = numpy.array([41, 2], "int32")
    text.st.next = text.s(p=numpy.array([42], "int32"))
    text.hook, text.st.f = (lambda x: x + 1), (lambda x: 10 * x)
    gc.collect()
    junk = [bytes(50) for _ in range(2000)] + [numpy.zeros(2, "int32") for _ in range(99)]
    assert text.get() == text.name() == text.second() == long_text.encode()
    assert (text.first(), text.next_of(), text.called(3)) == (41, 42, 34)
    text.st = text.s(long_text + "!")
    junk += [bytes(51) for _ in range(2000)]
    assert text.name() == (long_text + "!").encode()
    other = copy.copy(text.s(long_text))
    junk += [bytes(50) for _ in range(2000)]
    assert other.n == long_text.encode()
    assert text.hook(5) == 6  # What it was given, through C.


def test_an_error_in_a_hook_is_raised_by_the_call():
    text = clinch.compile("void (*hook)(void); int run(int x) { hook(); return x; }")

    def fails():
        raise KeyError("mine")

    text.hook = fails
    with pytest.raises(KeyError, match="mine"):
        text.run(1)
    text.hook = lambda: None
    assert text.run(2) == 2


def test_pointers_are_walked():
    text = clinch.compile("""
        struct p { int x; double y; };
        struct p all[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}};
        double numbers[2][3] = {{1, 2, 3}, {4, 5, 6}};
        const struct p fixed = {7, 7.5};
        struct p *begin(void) { return all; }
        const struct p *constant(void) { return &fixed; }
        double last(double m[][3], int n) { return m[n - 1][2]; }
        double *flat(void) { return numbers[0]; }""")
    p = text.begin()
    assert (p.x, p[1].y, (p + 2).x, (p + 1)[0].x) == (1, 2.5, 3, 2)
    assert p == text.begin() and p != p + 1 and int(p + 1) == int(p) + 16
    p[1] = text.p(20, 20.5)
    p.x = 10
    assert numpy.asarray(text.all)["x"].tolist() == [10, 20, 3]
    assert [one.y for one in text.all[1:]] == [20.5, 3.5]
    assert text.flat()[1:4].tolist() == [2, 3, 4]
    numpy.asarray(text.all)["y"][2] = 9.5
    assert text.all[2].y == 9.5
    assert text.last(numpy.arange(6.).reshape(2, 3), 2) == 5.0
    for wrong in (numpy.arange(6.), numpy.arange(6.).reshape(3, 2)):
        with pytest.raises(TypeError, match=r"shape \(n, 3\), not \("):
            text.last(wrong, 2)
    for change in (lambda: setattr(text.fixed, "x", 1),
                   lambda: setattr(text.constant(), "x", 1)):
        with pytest.raises(AttributeError, match="^it is constant$"):
            change()
    with pytest.raises(IndexError):
        text.all[3]


def test_flexible_arrays():
    text = clinch.compile("""
        struct g { int n; int a[]; };
        int sum(const struct g *g) { int s = 0; for (int i = 0; i < g->n; ++i) s += g->a[i];
                                     return s; }""")
    made = text.g(n=3, a=[5, 6, 7])
    assert text.sum(made) == 18
    made.a[1] = 60
    assert (text.sum(made), made.a[0:3].tolist()) == (72, [5, 60, 7])
    with pytest.raises(ValueError, match="^there is no room for so many items$"):
        made.a = list(range(50))


def test_names_that_python_has_a_meaning_for():
    text = clinch.compile("""
        enum a { mro = 1 }; enum a ga(void) { return mro; }
        enum b { _x_ = 1, __y__ = 2 }; enum b gb(void) { return _x_; }
        struct c { int _owner; int y; } vc = {3, 4};
        struct e { union { int u; }; int _0; } ve = {{5}, 6};
        struct f { int _fields_; } vf = {1};
        int stats = 3; int key(void) { return 2; } int lookup(int x) { return x + 1; }""")
    assert repr(text.ga()) == "<a.mro_: 1>" and int(text.gb()) == 1
    assert (text.vc.y, text.ve.u, text.ve._0, text.vf._fields_) == (4, 5, 6, 1)
    assert (text.lib.key(), text.lib.lookup(1), text.lib.stats) == (2, 2, 3)
    text.lib.stats = 77
    assert text.lib.stats == 77 and "key" in dir(text.lib)
    assert text.stats["cache"] and isinstance(text.key, str)
    with pytest.raises(AttributeError, match="^'stats' is a name of Clinch's here; "):
        text.stats = 5
    with pytest.raises(AttributeError, match="^the text defines no 'kay'; did you mean "):
        text.lib.kay


def test_structs_of_two_texts_with_one_name():
    text = clinch.link([
        "struct a { int v; }; struct b { struct a q; }; struct b x = {{5}};",
        "struct a { float v; }; struct b { struct a q; }; struct b y = {{2.5f}};"])
    assert repr(text.x) == "b(q=a(v=5))" and repr(text.y) == "b(q=a(v=2.5))"
    # All that point to one another, twice, and once with another.
    many = "".join(f"struct s{n};" for n in range(30)) + "".join(
        f"struct s{n} {{ " + "".join(f"struct s{m} *p{m};" for m in range(30)) + "};"
        for n in range(30))
    text = clinch.link([many + "struct s0 x; struct s0 *of(void) { return &x; }",
                        many + "struct s0 y;",
                        many.replace("struct s9 *p9;};", "long p9;};") + "struct s0 z;",
                        many.replace("struct s29 { ", "struct s29 { int n; ")
                        + "struct s0 w;"])
    text.y = text.s0(p1=text.s1(p0=text.x))
    assert text.y.p1.p0 == text.of()
    assert type(text.x) is type(text.y) and type(text.x) is not type(text.w)


def test_arrays_that_are_not_aligned_are_refused():
    text = clinch.compile("double first(const double *x) { return *x; }")
    array = numpy.zeros(9, "u1")[1:].view("f8")
    assert not array.flags.aligned
    with pytest.raises(TypeError, match="expected an array whose items are aligned; "):
        text.first(array)


def test_exceptions_go_through_callbacks():
    text = clinch.compile("""
        #include <stdexcept>
        int inner(int k) { if (k) throw std::out_of_range("far"); return k; }
        int outer(int (*f)(int), int k) { return f(k) + 1; }
        struct big { double x[9]; };
        double sum(big b) { if (b.x[8] < 0) throw b; return b.x[0] + b.x[8]; }
        """, language="c++")
    message = "`int inner(int)` threw `std::out_of_range`: far"
    assert text.outer(text.inner, 0) == text.outer(lambda k: text.inner(k), 0) == 1
    for f in (text.inner, lambda k: text.inner(k)):
        with pytest.raises(RuntimeError, match="threw `std::out_of_range`: far$"):
            text.outer(f, 1)
    seen = []

    def catches(k):
        try:
            return text.inner(k)
        except RuntimeError as error:
            seen.append(str(error))
            return 5

    assert text.outer(catches, 1) == 6 and seen == [message]
    assert text.sum(text.big(range(9))) == 8.0
    with pytest.raises(RuntimeError, match="threw `big`$"):
        text.sum(text.big([-1] * 9))


def test_an_endless_recursion_is_pythons_error():
    text = clinch.compile("struct big { double x[9]; };"
                          "int rec(int (*f)(int), int n) { return n ? f(n - 1) + 1 : 0; }"
                          "int more(int (*f)(int), int n, struct big b) { return f(n); }")

    def deep(n):
        return text.rec(deep, n)

    def larger(n):
        return text.more(larger, n, big)

    big = text.big()
    assert text.rec(deep, 100) == 100
    for function in (deep, larger):
        with pytest.raises(RecursionError):
            function(10**6)
    assert text.rec(deep, 100) == 100


def test_structs_have_the_operations_of_values():
    text = clinch.compile("struct p { int x; double v[2]; char n[8]; }; struct p k;"
                          "struct line { struct p a, b; }; enum e { A, B };")
    one = text.p(1, [2, 3], b"abc")
    other = copy.copy(one)
    assert one == other and one != text.p(1, [2, 4], b"abc") and one != 3
    other.v[0] = 9
    assert one.v[0] == 2.0 and len(bytes(one)) == 32
    assert repr(text.line(one, one)) == ("line(a=p(x=1, v=[2.0, 3.0], n=b'abc'), "
                                         "b=p(x=1, v=[2.0, 3.0], n=b'abc'))")
    assert numpy.asarray(one)["v"].tolist() == [2.0, 3.0]
    with pytest.raises(TypeError, match="^`p` has 3 fields, and 4 were given$"):
        text.p(1, [1, 2], b"", 4)
    with pytest.raises(TypeError, match="^`p` has no field `z`$"):
        text.p(z=3)
    with pytest.raises(AttributeError, match="^`p` has no field `z`$"):
        one.z = 3
    with pytest.raises(TypeError):
        pickle.dumps(one)
    view = clinch.compile("struct p { int x; }; struct p k = {3};").k
    gc.collect()
    assert view.x == 3  # It keeps its text loaded.


@pytest.mark.parametrize("cache", [True, False])
def test_equal_texts_share_code_and_no_variables(cache, monkeypatch, tmp_path):
    monkeypatch.setattr(clinch.config, "cache", cache)
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path))
    source = "int n = 0; static int m; int inc(void) { ++m; return ++n; } int get(void) { return m; }"
    first, compiles = clinch.compile(source), clinch.cache_info()["compiles"]
    second = clinch.compile(source)
    assert clinch.cache_info()["compiles"] == compiles
    assert [first.inc(), first.inc(), second.inc()] == [1, 2, 1]
    assert (first.n, second.n, first.get(), second.get()) == (2, 1, 2, 1)
    data = pickle.dumps(first)
    third, fourth = pickle.loads(data), pickle.loads(data)
    assert [third.inc(), third.inc(), fourth.inc(), first.inc()] == [1, 2, 1, 3]
    plain = "const int k = 3; int same(int x) { return x + k; }"
    first, second = clinch.compile(plain), clinch.compile(plain)
    assert first.lookup("same") == second.lookup("same")
