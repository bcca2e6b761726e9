"""What compiled text asks of the machine: threads' own variables, features of
the processor, and functions that a compiler calls unseen."""

import threading
import time

import pytest

import clinch


def in_a_thread(function, *arguments):
    """What a call in a new thread returns; the thread has ended then."""
    results = []
    thread = threading.Thread(
        target=lambda: results.append(function(*arguments)))
    thread.start()
    thread.join()
    return results[0]


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_thread_local_variables_are_each_threads_own(tier):
    count = clinch.compile("static _Thread_local int calls = 3;\n"
                           "int count(void) { return ++calls; }",
                           tier=tier)["int count(void)"]
    assert [count(), count()] == [4, 5]
    assert [in_a_thread(count), in_a_thread(count)] == [4, 4]
    assert count() == 6


OBJECTS = """
static int alive;
struct Mine {
  int uses = 0;
  Mine() { __atomic_add_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
  ~Mine() { __atomic_sub_fetch(&alive, 1, __ATOMIC_SEQ_CST); }
};
thread_local Mine mine;
extern "C" int use() { return ++mine.uses; }
extern "C" int living() { return __atomic_load_n(&alive, __ATOMIC_SEQ_CST); }
"""


def test_thread_local_objects_go_with_their_thread():
    text = clinch.compile(OBJECTS, language="c++")
    use, living = text["int use()"], text["int living()"]
    assert living() == 0
    assert in_a_thread(lambda: (use(), use(), living())) == (1, 2, 1)
    # Python joins a thread a little before the system ends it.
    end = time.monotonic() + 60
    while living() and time.monotonic() < end:
        time.sleep(0.001)
    assert living() == 0


def test_code_outlives_its_last_user_for_threads_that_used_it():
    text = [clinch.compile(OBJECTS + "// once more", language="c++")]
    used, released = threading.Event(), threading.Event()
    uses = []

    def work():
        uses.append(text[0]["int use()"]())
        used.set()
        released.wait()

    thread = threading.Thread(target=work)
    thread.start()
    used.wait()
    text.clear()
    clinch.compile("int another(void) { return 1; }")
    released.set()
    thread.join()  # Its destructor runs in code that is there.
    assert uses == [1]


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_features_are_read_from_anywhere(tier):
    text = clinch.compile(
        'int f(void) { return __builtin_cpu_supports("sse2"); }', tier=tier,
        keep=["asm"])
    assert "__cpu_model@GOTPCREL" in text.stage("asm")


def test_features_of_the_processor():
    text = clinch.compile("""
        int has_sse2(void) { return !!__builtin_cpu_supports("sse2"); }
        int has_avx2(void) { return !!__builtin_cpu_supports("avx2"); }
        int is_known(void) {
            __builtin_cpu_init();
            return !!__builtin_cpu_is("intel") + !!__builtin_cpu_is("amd");
        }""")
    with open("/proc/cpuinfo") as file:
        info = file.read().split()
    assert text["int has_sse2(void)"]() == 1
    assert text["int has_avx2(void)"]() == int("avx2" in info)
    assert text["int is_known(void)"]() == int("GenuineIntel" in info
                                               or "AuthenticAMD" in info)


def test_functions_that_choose_their_address_are_refused():
    with pytest.raises(clinch.LinkError) as caught:
        clinch.compile('__attribute__((target_clones("avx2", "default")))\n'
                       "int f(int x) { return x * x; }\n"
                       "int g(int x) { return f(x); }")
    assert str(caught.value) == (
        "An ifunc, which chooses its address when it is loaded, cannot be linked: "
        "`f` is one (target_clones makes them); expected a plain function.")


@pytest.mark.parametrize("tier", ["fast", "default", "max"])
def test_functions_that_a_compiler_calls_unseen(tier):
    text = clinch.compile("""
        double product(double a, double b, double c, double d) {
            _Complex double x, y;
            __real__ x = a, __imag__ x = b, __real__ y = c, __imag__ y = d;
            x *= y;
            return __real__ x + 1000 * __imag__ x;
        }
        long quotient(long high, long low, long by) {
            return (long)((((__int128)high << 64) + low) / by);
        }
        static _Atomic __int128 wide = 40;
        long add(long x) { return (long)(wide += x); }
        float shorter(float x) { return (float)(__bf16)x; }
        float half(float x) { return (float)((_Float16)x * (_Float16)0.5); }
        """, tier=tier)
    # (1 + 2i) (3 + 4i) = -5 + 10i
    product = text["double product(double a, double b, double c, double d)"]
    assert product(1, 2, 3, 4) == -5 + 10000
    assert text["long quotient(long high, long low, long by)"](1, 0, 16) == 2**60
    add = text["long add(long x)"]
    assert [add(2), add(3)] == [42, 45]
    assert text["float shorter(float x)"](1.0078125) == 1.0078125
    assert text["float shorter(float x)"](1.001) == 1.0
    assert text["float half(float x)"](3.0) == 1.5
