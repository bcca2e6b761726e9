"""A crash in a block names Op, hook and line, on request."""

import signal
import subprocess
import sys
import textwrap

import pytest

from clinch.testing import TIERS

OPS = """
import os, signal, sys
import clinch
from clinch import Apply, COp, Mode, double, function

class Crash(COp):
    __props__ = ("code", "support", "language")

    def __init__(self, code, support="", language="c"):
        self.code, self.support, self.language = code, support, language

    def c_compiler(self):
        return self.language

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_support_code(self):
        return self.support

    def c_code(self, node, name, inputs, outputs, sub):
        return self.code.format(x=inputs[0], z=outputs[0])

    def c_code_cache_version(self):
        return (1,)

x = double("x")
READ = "{z} = {x};\\nif ({x} > 1)\\n  {z} = *(volatile double *)8;"
"""


def crash(program, *python):
    """Returns the signal that ended the program, and what it wrote."""
    done = subprocess.run(
        [sys.executable, *python, "-c", OPS + program],
        text=True, capture_output=True)
    return signal.Signals(-done.returncode).name, done.stderr


ON = "clinch.enable_crash_notes()\n"
NOTE = "clinch: segmentation fault in `Crash.c_code` for `node_3`, line 3\n"


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("form", ["struct", "function"])
@pytest.mark.parametrize("tier", TIERS)
def test_the_line_of_the_block(tier, form, language):
    call = (f"f = function([x], Crash(READ, language={language!r})(x), "
            f"Mode({tier!r}, form={form!r}))\nassert f(1.0) == 1.0\nf(2.0)")
    assert crash(ON + call) == ("SIGSEGV", NOTE)
    assert crash(call) == ("SIGSEGV", "")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind, code, name", [
    ("SIGFPE", "volatile int n = 0, m = 7;\\n{z} = m / n;",
     "clinch: arithmetic error in"),
    ("SIGILL", "{z} = {x};\\n__builtin_trap();",
     "clinch: illegal instruction in"),
    ("SIGABRT", "{z} = {x};\\nabort();",
     "clinch: abort in code called from"),
    ("SIGBUS", "{z} = {x};\\nraise(SIGBUS);",
     "clinch: bus error in code called from")])
def test_each_signal(kind, code, name, tier):
    assert crash(ON + f'f = function([x], Crash("{code}", "#include '
                 f'<signal.h>\\n#include <stdlib.h>")(x), {tier!r})\n'
                 "f(2.0)") == (kind, f"{name} `Crash.c_code` for `node_3`, "
                                     "line 2\n")


@pytest.mark.parametrize("tier", TIERS)
def test_functions_of_others(tier):
    """In its own function, in one of a header, and in one of the C library."""
    def one(code, support=""):
        return crash(ON + f"f = function([x], Crash({code!r}, {support!r})(x), "
                     f"{tier!r})\nf(2.0)")

    helper = ("static __attribute__((noinline)) double low(void) {\n"
              "  return *(volatile double *)8;\n}")
    assert one("{z} = low();", helper) == (
        "SIGSEGV", "clinch: segmentation fault in `Crash.c_support_code`, "
                   "line 2\n")
    assert one("{z} = {x};\n{z} += PyArray_NDIM((PyArrayObject *)8);") == (
        "SIGSEGV", "clinch: segmentation fault in `Crash.c_code` for `node_3`, "
                   "line 2\n")
    assert one("{z} = {x};\n\nmemset((void *)8, 1, 100000);") == (
        "SIGSEGV", "clinch: segmentation fault in code called from "
                   "`Crash.c_code` for `node_3`, line 3\n")
    assert one("double (*volatile f)(void) = NULL;\n{z} = f();") == (
        "SIGSEGV", "clinch: segmentation fault in code called from "
                   "`Crash.c_code` for `node_3`, line 2\n")


def test_a_stack_that_is_used_up():
    support = ("static __attribute__((noinline)) int deep(int n) {\n"
               "  volatile char much[1000]; much[0] = n;\n"
               "  return deep(n + 1) + much[0];\n}")
    kind, text = crash(ON + f"f = function([x], Crash('{{z}} = deep(0);', "
                       f"{support!r})(x))\nf(2.0)")
    assert kind == "SIGSEGV"
    # `much` is cleared by memset, and a sanitizer's takes more of the stack.
    assert text.replace("code called from ", "").startswith(
        "clinch: segmentation fault in `Crash.c_support_code`, line ")


def test_a_text_of_its_own():
    call = ("t = clinch.compile('int f(long p)\\n{ return *(int *)p; }')\n"
            "t.f(8)")
    assert crash(ON + call) == ("SIGSEGV", "clinch: segmentation fault in "
                                "text, line 2\n")


def test_whoever_had_the_signal_gets_it():
    call = "f = function([x], Crash(READ)(x))\nf(2.0)\n"
    kind, text = crash(ON + call, "-X", "faulthandler")
    assert kind == "SIGSEGV"
    assert text.startswith(NOTE + "Fatal Python error: Segmentation fault\n\n")
    # Who comes later is first, and passes it on.
    kind, text = crash(ON + "import faulthandler; faulthandler.enable()\n"
                       + call)
    assert kind == "SIGSEGV"
    assert text.startswith("Fatal Python error: Segmentation fault\n\n")
    assert text.endswith(NOTE)
    assert crash(ON + "signal.signal(signal.SIGSEGV, signal.SIG_DFL)\n"
                 + call) == ("SIGSEGV", "")


def test_what_is_not_ours_is_not_noted():
    assert crash(ON + "function([x], Crash(READ)(x))(1.0)\n"
                 "import ctypes; ctypes.string_at(8)") == ("SIGSEGV", "")
    assert crash(ON + "function([x], Crash(READ)(x))(1.0)\nos.abort()") == (
        "SIGABRT", "")
    # Made before it was asked for; a crash on its way is no crash of ours.
    assert crash("f = function([x], Crash(READ)(x))\n" + ON + "f(2.0)") == (
        "SIGSEGV", "")


def test_code_that_comes_and_goes():
    assert crash(ON + textwrap.dedent("""
    from concurrent.futures import ThreadPoolExecutor

    def make(i):
        return function([x], Crash(READ + f"\\n{{z}} += {i};")(x))(1.0)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(make, range(40))) == [1.0 + i for i in range(40)]
    kept = [function([x], Crash(READ + f"\\n{{z}} += {i};")(x))
            for i in range(10)]
    del kept[::2]
    pid = os.fork()
    if pid == 0:
        kept[2](2.0)
    assert os.waitpid(pid, 0)[1] & 127 == signal.SIGSEGV
    kept[3](2.0)
    """)) == ("SIGSEGV", 2 * NOTE)


def test_from_the_disk_cache_and_twice(tmp_path):
    call = (f"clinch.config.cache_dir = {str(tmp_path)!r}\n"
            "clinch.enable_crash_notes()\n"
            "f = function([x], Crash(READ)(x))\n"
            "print(f.stats['cache_from'], file=sys.stderr)\nf(2.0)")
    assert crash(ON + call) == ("SIGSEGV", "None\n" + NOTE)
    assert crash(ON + call) == ("SIGSEGV", "disk\n" + NOTE)


def test_a_stage_is_as_it_is_without():
    made = "print(function([x], Crash(READ)(x)).emit('asm'))"
    texts = [subprocess.run([sys.executable, "-c", OPS + on + made],
                            text=True, capture_output=True, check=True).stdout
             for on in ("", ON)]
    assert texts[0] == texts[1] and "clinch_run" in texts[0]


CHAINED = """if 1:
    import ctypes, faulthandler, os, threading
    faulthandler.enable()
    import clinch
    text = "int f(int x) {" + "x = x * 3 + 1;" * 20000 + "return x; }"
    first = threading.Thread(target=clinch.compile, args=(text,), kwargs={"tier": "fast"})
    first.start()
    def guarded():  # Only a compile catches SIGTRAP.
        with open("/proc/self/status") as status:
            caught = next(int(line.split()[1], 16) for line in status
                          if line.startswith("SigCgt"))
        return caught >> 4 & 1
    while first.is_alive() and not guarded():
        pass
    clinch.enable_crash_notes()
    first.join()
    code = clinch.compile("int g(int *p) { return *p; }", name="crash.c")
    clinch.compile("int h(void) { return 1; }")
    code["int g(int *)"](None)
"""


def test_notes_that_were_enabled_during_a_compile():
    """The host's handler is still reached, once."""
    ended = subprocess.run([sys.executable, "-c", CHAINED], capture_output=True, text=True,
                           timeout=120)
    assert ended.returncode == -signal.SIGSEGV
    assert ended.stderr.count("clinch: segmentation fault in crash.c, line 1\n") == 1
    assert ended.stderr.count("Fatal Python error: Segmentation fault") == 1
