"""C text to code, and the stages of a compile."""

import ctypes
import gc
import weakref

import pytest

import clinch
from clinch import Mode, double, function


def test_c_plus_plus():
    text = clinch.compile("template <class T> T twice(T x) { return x + x; }\n"
                          "extern \"C\" int four(void) { return twice(2); }",
                          language="c++")
    assert text["int four(void)"]() == 4


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
@pytest.mark.parametrize("level", [[], ["-O0"]])
@pytest.mark.parametrize("loop, value", [("", 45), ("while (n < 9) co_yield n++;", 9)])
def test_coroutines(tier, level, loop, value):
    text = clinch.compile(f"""
        #include <coroutine>
        struct Numbers {{
          struct promise_type {{
            long value;
            Numbers get_return_object() {{
              return {{std::coroutine_handle<promise_type>::from_promise(*this)}};
            }}
            std::suspend_always initial_suspend() noexcept {{ return {{}}; }}
            std::suspend_always final_suspend() noexcept {{ return {{}}; }}
            std::suspend_always yield_value(long x) {{ value = x; return {{}}; }}
            void return_void() {{}}
            void unhandled_exception() {{ throw; }}
          }};
          std::coroutine_handle<promise_type> handle;
          long next() {{ handle.resume(); return handle.promise().value; }}
        }};
        static Numbers numbers(long n) {{ {loop} co_yield n + 1; co_yield n * 10; }}
        long f(long n) {{
          Numbers all = numbers(n);
          long sum = all.next() + all.next();
          all.handle.destroy();
          return sum;
        }}""", language="c++", tier=tier, flags=["-std=c++20", *level])
    assert text.f(4) == value


def test_a_function_keeps_its_code():
    text = clinch.compile("int seven(void) { return 7; }")
    seven = text["int seven(void)"]
    gone = weakref.ref(text)
    del text
    gc.collect()
    assert seven() == 7
    gc.disable()
    try:
        del seven
        assert gone() is None  # At once: nothing holds itself.
    finally:
        gc.enable()


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
    ("c", "static int clinch_ladder(struct clinch_state *clinch_self)"),
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
    f = function([x, y], (x + y) * y, mode=Mode(linker="op"))
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


TAPE = """
template <class T> struct tape { static thread_local T length; };
template <class T> thread_local T tape<T>::length = 0;
inline thread_local int depth = 0;
extern "C" int FUNCTION(void) { return ++tape<int>::length + ++depth; }
"""


@pytest.mark.parametrize("cache", [True, False])
def test_two_texts_share_no_thread_local_variable(cache, tmp_path):
    """A program has it once; each of the texts would have its own, silently."""
    before = clinch.config.cache, clinch.config.cache_dir
    clinch.config.cache, clinch.config.cache_dir = cache, tmp_path
    try:
        first = clinch.compile(TAPE, "one", language="c++",
                               defines=["FUNCTION=first"])
        for _ in range(2):
            with pytest.raises(clinch.LinkError) as raised:
                clinch.compile(TAPE, "two", language="c++",
                               defines=["FUNCTION=second"])
            assert str(raised.value) in [
                f"The texts `one` and `two` both define the thread-local "
                f"variable `{name}`, which C++ has once for a program, and are "
                f"compiled apart: each would have its own. Expected one text, one "
                f"that is linked with the objects of others, or a `static` variable "
                f"in each."
                for name in ("depth", "tape<int>::length")]
        assert first.first() == 2
        again = clinch.compile(TAPE, "one", language="c++",
                               defines=["FUNCTION=first"])
        assert again.first() == 4  # The same code.
        del first, again
        gc.collect()
        second = clinch.compile(TAPE, "two", language="c++",
                                defines=["FUNCTION=second"])
        assert second.second() == 2
        del second
        gc.collect()
    finally:
        clinch.config.cache, clinch.config.cache_dir = before


def test_what_texts_may_define_alike():
    """Their own variables, those of threads too, and the library's templates."""
    made = []
    for number in range(2):
        made.append(clinch.compile(
            "#include <iostream>\n#include <locale>\n#include <memory>\n"
            "#include <random>\n#include <regex>\n#include <thread>\n"
            "static thread_local int own = 0;\n"
            "namespace { thread_local int hidden = 0; }\n"
            "inline int counter = 0;\n"
            "inline int next() { static int n = 0; return ++n; }\n"
            f'extern "C" int f{number}(void) {{\n'
            "  if (!std::regex_match(\"aa\", std::regex(\"a+\"))) return -1;\n"
            "  std::cerr << *std::make_shared<const char *>(\"\");\n"
            "  std::mt19937 g(std::mt19937::default_seed);\n"
            "  return int(g() % 2) * 0 + ++own + ++hidden + ++counter + next(); }",
            f"text{number}", language="c++"))
    assert [made[0].f0(), made[1].f1(), made[0].f0()] == [4, 4, 8]


LOOP = """static double twice(double x) { return x + x; }
void f(double *a, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = twice(b[i]);
}
double sum(const double *a) {
  double s = 0;
  for (int i = 0; i < 1000; ++i)
    s += a[i];
  return s;
}
"""


def test_remarks_are_what_the_inliner_and_the_vectorisers_say():
    text = clinch.compile(LOOP, "loop.c", tier="default", cpu="x86-64", remarks=True)
    found = [(one["line"], one["kind"], one["by"], one["function"], one["source_line"])
             for one in text.remarks if one["origin"] == "loop.c"]
    assert (4, "passed", "inline", "f", "    a[i] = twice(b[i]);") in found
    assert (3, "passed", "loop-vectorize", "f",
            "  for (int i = 0; i < n; ++i)") in found
    why = [one["message"] for one in text.remarks if one["line"] == 9]
    assert any("cannot prove it is safe to reorder floating-point operations" in message
               for message in why)
    plain = clinch.compile(LOOP, "loop.c", tier="default", cpu="x86-64")
    assert plain.remarks == []
    assert plain.key == text.key


@pytest.mark.parametrize("tier", ["default", "max"])
def test_long_straight_code_is_made_in_pieces(tier):
    lines, values = ["unsigned long f(unsigned long a0, unsigned long a1) {",
                     "unsigned long room[2] = {a0, a1};"], [3, 5]
    for n in range(2, 2000):
        lines.append(f"unsigned long a{n} = (a{n - 1} ^ a{n // 2}) + {2 * n + 1} * "
                     f"(a{n - 2} ^ room[{n % 2}]);")
        values.append(((values[n - 1] ^ values[n // 2])
                       + (2 * n + 1) * (values[n - 2] ^ values[n % 2])) % 2**64)
    text = "\n".join([*lines, "return a1999; }"])
    made = clinch.compile(text, tier=tier, keep=["llvm-opt", "asm"])
    assert made.f(3, 5) == values[-1]
    pieces = made.stage("llvm-opt").count("  br label")
    assert pieces > 3 and made.stage("asm").count("\n.Ltmp") == pieces
    assert "br label" not in clinch.compile(text, tier="fast", keep=["llvm-opt"]).stage(
        "llvm-opt")
