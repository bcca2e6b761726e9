"""Limits on a compile, and the process that keeps them."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import clinch
from clinch import Mode, double, function
from ways import CText

#: Texts that go on for ever, or nearly, and their languages.
ENDLESS = {
    "templates": ("""
template <int N, long M> struct A {
  static const long v = A<N - 1, 2 * M>::v + A<N - 1, 2 * M + 1>::v; };
template <long M> struct A<0, M> { static const long v = 1; };
long f() { return A<40, 0>::v; }""", "c++"),
    "dimensions": ("int p" + "[1]" * 50000 + ";", "c"),
    "products": ("""
#define B(x) ((unsigned _BitInt(8388607))(x))
unsigned f(unsigned a) { unsigned _BitInt(8388607) x = a;
""" + "x = x * x + B(a);\n" * 40 + "return (unsigned)x; }", "c"),
    "repetition": ('__asm__(".rept 1000000000\\n nop\\n .endr");', "c"),
    "fill": ('__asm__(".fill 4000000000, 1, 7");', "c"),
    "initialiser": ("int a[] = {[0 ... 500000000] = 3};", "c"),
}
TIME = "The compile took longer than its limit of 1000 ms."
MEMORY = "The compile took more memory than its limit of 268435456 bytes."
LIMITS = {"time_limit": 1, "memory_limit": 256 << 20}
WAYS = pytest.mark.parametrize("isolation", [None, "process"])
OVERFLOWING = "int a = " + "- " * 1000000 + "1;"
CRASHED = ("The compiler crashed over this text: it nests too deeply for a stack "
           "of 64 MB.")


@pytest.fixture(autouse=True)
def _cold():
    before, clinch.config.cache = clinch.config.cache, False
    yield
    clinch.config.cache = before


def children():
    """The engines' processes that this one has started and not ended; others are
    those of tests that ran before."""
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return [int(number) for number in file.read().split()
                if name_of(number) == "clinch-engine"]


def name_of(process):
    with open(f"/proc/{process}/comm") as file:
        return file.read().strip()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.parametrize("name", ENDLESS)
def test_a_process_of_its_own_ends_all(name):
    text, language = ENDLESS[name]
    clinch.compile("int f(void) { return 1; }", isolation="process", **LIMITS)
    before = resident()
    begin = time.monotonic()
    with pytest.raises(clinch.LimitError) as raised:
        clinch.compile(text, language=language, tier="fast",
                       isolation="process", **LIMITS)
    assert time.monotonic() - begin < 3
    assert str(raised.value) in (TIME, MEMORY)
    assert resident() - before < 32 << 20
    assert not children()
    again = clinch.compile("int f(void) { return 2; }", isolation="process")
    assert again["int f(void)"]() == 2


@WAYS
def test_functions_have_limits(isolation):
    x = double("x")
    text = "int a[] = {[0 ... 500000000] = 3}; z = x + a[1];"
    with pytest.raises(clinch.LimitError) as raised:
        function([x], CText(text)(x), mode=Mode(isolation=isolation, **LIMITS))
    assert str(raised.value) == MEMORY
    f = function([x], CText("z = x + 1;")(x), mode=Mode(isolation=isolation, **LIMITS))
    assert f(1.0) == 2.0


@WAYS
def test_the_defaults_are_the_configs(isolation):
    config = clinch.config
    config.time_limit, config.memory_limit = 1, 256 << 20
    config.isolation = isolation
    try:
        with pytest.raises(clinch.LimitError) as raised:
            clinch.compile(ENDLESS["fill"][0])
        assert str(raised.value) in (TIME, MEMORY)
    finally:
        config.time_limit = config.memory_limit = config.isolation = None


@pytest.mark.parametrize("value", [0, -1, "1", True])
def test_limits_are_numbers(value):
    for name in ("time_limit", "memory_limit"):
        with pytest.raises(ValueError) as raised:
            clinch.compile("int a;", **{name: value})
        assert str(raised.value) == (f"{name} is a number above 0, or None for "
                                     f"none; {value!r} is neither")


def test_isolation_is_a_process_or_none():
    with pytest.raises(ValueError) as raised:
        clinch.compile("int a;", isolation="thread")
    assert str(raised.value) == ("isolation is None or 'process'; 'thread' is "
                                 "neither")


def test_what_is_compiled_apart_is_the_same():
    text = "int f(int x) { return x + 40; }"
    here = clinch.compile(text, keep=["obj"])
    apart = clinch.compile(text + " ", keep=["obj", "asm"],
                           isolation="process")
    assert apart["int f(int)"](2) == 42
    assert "lea" in apart.stage("asm")
    assert len(apart.stage("obj")) == len(here.stage("obj"))
    with pytest.raises(clinch.CompileError) as there:
        clinch.compile("int f(void) { return y; }", isolation="process")
    with pytest.raises(clinch.CompileError) as here:
        clinch.compile("int f(void) { return y; }")
    assert str(there.value) == str(here.value)


def test_one_process_serves_many_texts():
    for n in range(3):
        clinch.compile(f"int f(void) {{ return {n}; }}", isolation="process")
        assert len(children()) == 1


def test_a_process_that_was_killed_is_started_anew():
    clinch.compile("int f(void) { return 3; }", isolation="process")
    first, = children()
    os.kill(first, signal.SIGKILL)
    text = clinch.compile("int f(void) { return 4; }", isolation="process")
    assert text["int f(void)"]() == 4
    second, = children()
    assert second != first


@pytest.mark.parametrize("how", [{"time_limit": 60}, {"memory_limit": 1 << 30}])
def test_a_limit_needs_a_process(how):
    clinch.compile("int f(void) { return 10; }", isolation="process")
    process, = children()
    text = clinch.compile("int f(void) { return 11; }", **how)
    assert text["int f(void)"]() == 11
    assert children() == [process]


def test_a_crash_in_the_process_is_an_error_there():
    for _ in range(2):
        with pytest.raises(clinch.CompilerCrash) as raised:
            clinch.compile(OVERFLOWING, isolation="process")
        assert str(raised.value) == CRASHED
        assert not children()
    text = clinch.compile("int f(void) { return 12; }", isolation="process")
    assert text["int f(void)"]() == 12


AFTER_A_CRASH = """
import clinch, os
from clinch import double, function
clinch.config.cache = False
def processes():
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        return len(file.read().split())
x = double("x")
old = function([x], x + 1.5)
try:
    clinch.compile("int a = " + "- " * 1000000 + "1;")
except clinch.CompilerCrash as error:
    print(error, processes())
print(old(1.0), function([x], x * 2.5)(2.0), processes())
made = os.fork()
if not made:
    os._exit(0 if function([x], x * 3.5)(2.0) == 7.0 else 1)
print(os.waitpid(made, 0)[1])
"""


def test_after_a_crash_functions_are_compiled_in_a_process():
    done = subprocess.run([sys.executable, "-c", AFTER_A_CRASH],
                          capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{CRASHED} 0\n2.5 5.0 1\n0\n"


def test_threads_have_a_process_each():
    wrong = []

    def work(t):
        for n in range(5):
            value = 100 * t + n
            text = clinch.compile(f"int f(void) {{ return {value}; }}",
                                  isolation="process")
            if text["int f(void)"]() != value:
                wrong.append(value)
    threads = [threading.Thread(target=work, args=(t,)) for t in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert 1 <= len(children()) <= 9


def test_a_child_of_fork_starts_its_own():
    clinch.compile("int f(void) { return 5; }", isolation="process")
    made = os.fork()
    if not made:
        signal.alarm(60)
        text = clinch.compile("int f(void) { return 6; }", isolation="process")
        right = text["int f(void)"]() == 6 and len(children()) == 1
        os._exit(0 if right else 1)
    assert os.waitpid(made, 0)[1] == 0
    text = clinch.compile("int f(void) { return 7; }", isolation="process")
    assert text["int f(void)"]() == 7


SCRIPT = """
import clinch, os, sys
clinch.config.cache = False
clinch.compile("int f(void) { return 8; }", isolation="process")
with open("/proc/self/task/%d/children" % os.getpid()) as file:
    print(file.read().strip())
"""


def test_the_process_goes_with_its_host():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True,
                          text=True)
    assert done.stderr == ""
    made = int(done.stdout)
    end = time.monotonic() + 10
    while os.path.exists(f"/proc/{made}") and time.monotonic() < end:
        time.sleep(0.01)
    assert not os.path.exists(f"/proc/{made}")


@WAYS
def test_the_rules_are_the_same_there(isolation):
    x = double("x")
    with pytest.raises(clinch.RuleError) as refused:
        function([x], CText("z = x; return 0;")(x), mode=Mode(isolation=isolation))
    assert refused.value.diagnostics[0]["message"].startswith("`return` may not")


#: Its standard streams are closed, as those of a daemon may be.
CLOSED = """
import os, sys
report = os.fdopen(os.dup(1), "w")
for stream in {closed}:
    os.close(stream)
import clinch
clinch.config.cache = False
made = [clinch.compile(f"int f(void) {{{{ return {{n}}; }}}}", isolation="process")
        for n in (1, 2)]
for stream in {closed}:
    try:
        target = os.readlink(f"/proc/self/fd/{{stream}}")
    except FileNotFoundError:
        target = ""
    assert not target.startswith("socket:"), (stream, target)
print([t["int f(void)"]() for t in made], file=report)
"""


@pytest.mark.parametrize("closed", [(0,), (0, 1), (1, 2), (0, 1, 2)])
def test_a_host_may_have_closed_its_streams(closed):
    done = subprocess.run([sys.executable, "-c", CLOSED.format(closed=closed)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=120, text=True)
    assert (done.returncode, done.stdout) == (0, "[1, 2]\n"), done.stderr


#: The host waits for every child, and the next process gets the engine's number.
REAPED = """
import os, signal, sys, clinch
clinch.config.cache = False
clinch.compile("int f(void) { return 1; }", isolation="process")
(engine,) = [int(n) for n in open("/proc/thread-self/children").read().split()]
os.kill(engine, signal.SIGKILL)
os.waitpid(-1, 0)
with open("/proc/sys/kernel/ns_last_pid", "w") as file:
    file.write(str(engine - 1))
other = os.fork()
if not other:
    signal.pause()
if other != engine:
    os.kill(other, signal.SIGKILL)
    print("elsewhere")
    sys.exit()
text = clinch.compile("int f(void) { return 2; }", isolation="process")
print(text["int f(void)"](), os.waitpid(other, os.WNOHANG))
os.kill(other, signal.SIGKILL)
"""


def test_only_the_engine_is_ended():
    for _ in range(20):
        done = subprocess.run([sys.executable, "-c", REAPED], timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
        if "ns_last_pid" in done.stderr:
            pytest.skip("only root can choose the number of a process")
        assert done.returncode == 0, done.stderr
        if done.stdout != "elsewhere\n":
            break
    assert done.stdout == "2 (0, 0)\n"
