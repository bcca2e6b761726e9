"""C++'s references and classes as Python sees them."""

import numpy
import pytest

import clinch


@pytest.fixture(scope="module", params=["fast", "max"])
def text(request):
    return clinch.compile("""
        #include <string>
        #include <tuple>
        #include <vector>
        struct V { double x, y; V() = default; V(double a) : x(a), y(-a) {}
                   double sum() const { return x + y; } };
        struct D : V { int k; };
        struct empty {};
        struct F : empty { float a; };
        struct H : F { float b; double c; };
        class tail { int i; char c; char p = 3; public: tail() = default; };
        struct tailed : tail { char e; };
        double of_floats(H g, int n) { return g.a + g.b * 10 + g.c * 100 + n * 1000; }
        H floats() { H g; g.a = 1; g.b = 2; g.c = 3; return g; }
        int of_tail(tailed t, int n) { return t.e * 10 + n; }
        class P { int a; public: explicit P(int a) : a(a) {} int get() const { return a; } };
        template <class T> struct G { T x; };
        template <class T, int N> struct A { T x[N]; };
        A<int, 3> gs{{1, 2, 3}};
        G<int> one_int(int k) { return {k}; }
        G<V> one_v(double k) { return {V(k)}; }
        double sum(const V &v) { return v.sum(); }
        void scale(V &v, double k) { v.x *= k; v.y *= k; }
        V &same(V &v) { return v; }
        const V &best(const V &a, const V &b) { return a.x > b.x ? a : b; }
        int &at(int *a, int i) { return a[i]; }
        void increase(int &x) { ++x; }
        int next(const int &k) { return k + 1; }
        const double &larger(const double &a, const double &b) { return a < b ? b : a; }
        double of_derived(D d) { return d.x * 100 + d.y * 10 + d.k; }
        D derived(int k) { D d; d.x = 1; d.y = 2; d.k = k; return d; }
        double refers(double &(*f)(double &), double x) { return f(x); }
        double called(void (*f)(V &), double k) { V v(k); f(v); return v.x; }
        P hidden(int k) { return P(k); }
        int of_hidden(P p) { return p.get(); }
        struct Many { std::vector<double> v; explicit Many(int n) : v(n) {} };
        Many many(int n) { return Many(n); }
        Many *new_many(int n) { return new Many(n); }
        int count(const Many *m) { return int(m->v.size()); }
        int count_of(const Many &m) { return int(m.v.size()); }
        void end(Many *m) { delete m; }
        int length(const std::string &s) { return int(s.size()); }
        int moved(int &&x) { return x; }
        std::tuple<double *, int> both(int i) { return {nullptr, i}; }
        struct S { int a, b; int get(int k) { return a * k; } };
        int (S::*member())(int) { return &S::get; }
        struct once { once() = default; once(once &&) = default; int x = 4; };
        once a_once() { return {}; }
        struct fixed { fixed(const fixed &) = delete; fixed() = default; int x = 4; };
        fixed a_fixed() { return {}; }""", language="c++", tier=request.param)


def test_references_to_structs(text):
    v = text.V(3, 4)
    assert text.sum(v) == text.sum((3, 4)) == 7.0
    text.scale(v, 2)
    assert (v.x, v.y) == (6.0, 8.0)
    text.same(v).x = 1.5
    assert v.x == 1.5 and text.best(v, text.V(1, 1)) == v
    assert text.called(lambda v: setattr(v, "x", v.y * 10), 2) == -20.0
    for wrong, message in ((None, "expected a `V &`, not None"), (
            (3, 4), "expected a `V &`, not a tuple"), (
            text.one_int(3), "expected a `V &`, not a `G<int>`")):
        with pytest.raises(TypeError, match=f"^argument 1: {message}$"):
            text.scale(wrong, 1)
    with pytest.raises(AttributeError, match="^it is constant$"):
        text.best(v, v).x = 1


def test_references_to_numbers(text):
    numbers = numpy.array([4, 5, 6], "int32")
    assert text.at(numbers, 1) == 5
    text.increase(numbers)
    assert numbers.tolist() == [5, 5, 6]
    assert text.next(3) == text.next(numbers[2]) - 3 == 4
    assert text.larger(1, 2.5) == 2.5
    with pytest.raises(TypeError, match="^argument 1: expected a `int &`, not a int$"):
        text.increase(3)
    with pytest.raises(TypeError):
        text.next(1.5)
    with pytest.raises(TypeError, match="^argument 1: a Python function cannot return a "
                                        "`double &`$"):
        text.refers(lambda x: x, 2)


def test_classes_that_are_copied_by_their_bytes(text):
    d = text.D(1, 2, 3)
    assert text.of_derived(d) == 123.0 and text.derived(7) == text.D(x=1, y=2, k=7)
    assert repr(d) == "D(x=1.0, y=2.0, k=3)"
    assert text.of_hidden(text.hidden(8)) == 8
    assert text.of_floats(text.H(1, 2, 3), 4) == 4321 and text.floats() == text.H(1, 2, 3)
    assert text.of_tail(text.tailed(e=4), 5) == 45 and len(bytes(text.tailed())) == 8
    assert text.a_once().x == 4


def test_instances_of_class_templates(text):
    assert text.one_int(3) == text["G<int>"](3) and repr(text.one_int(3)) == "G<int>(x=3)"
    assert text.one_v(2).x == text.V(2, -2) and text.one_v(2) == text["G< V >"](text.V(2, -2))
    assert text.gs == text.A([1, 2, 3]) == text["A<int,3>"](x=[1, 2, 3])
    assert type(text.gs) is text["A<int, 3>"]
    with pytest.raises(TypeError, match="^the text defines `G<int>`, `G<V>`; write "
                                        r"text\['G<int>'\]$"):
        text.G


def test_other_classes_go_by_their_address(text):
    many = text.new_many(3)
    assert text.count(many) == 3
    text.end(many)
    for name in ("many", "count_of", "Many"):
        with pytest.raises(TypeError, match="'Many' is a class that only C\\+\\+ can make and "
                                            "copy: give Python functions that take and "
                                            "return `Many \\*`$"):
            getattr(text, name)
    for name in ("length", "moved", "both", "member", "a_fixed"):
        with pytest.raises(TypeError, match="cannot be called from Python: "):
            getattr(text, name)
