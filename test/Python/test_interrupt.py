"""Signals while a compile runs: a Ctrl-C is not kept waiting."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import clinch
from held_header import HeldHeader
from clinch import add, double, function
from clinch.testing import TextOp


class Stop(BaseException):
    """What the signal's handler raises."""


def includes(folder):
    """An Op whose compile stands still in a header, until somebody lets it go on."""
    return TextOp("{z} = ADDED_BY_HEADER + {x};", headers=["stands_still.h"],
                  c_header_dirs=lambda: [folder])


@pytest.fixture
def held(tmp_path):
    return HeldHeader(tmp_path / "stands_still.h")


@pytest.fixture
def on_signal():
    """Sets what SIGUSR1 does."""
    before = signal.getsignal(signal.SIGUSR1)
    yield lambda action: signal.signal(signal.SIGUSR1, lambda *_: action())
    signal.signal(signal.SIGUSR1, before)


@pytest.fixture
def stopping(held, on_signal):
    """The header; who reads it gets a signal that raises Stop."""
    def stop():
        raise Stop
    on_signal(stop)
    held.when_read(lambda: os.kill(os.getpid(), signal.SIGUSR1))
    return held


def test_a_compile_is_left_at_once(stopping):
    x = double("x")
    with pytest.raises(Stop):
        function([x], includes(stopping.folder)(x))
    # That compile stands where it stood; others do not wait for it.
    assert function([x], add(x, 21.5))(2.0) == 23.5
    stopping.go_on(1.0)


def test_who_was_interrupted_can_try_again(stopping):
    x = double("x")
    with pytest.raises(Stop):
        function([x], includes(stopping.folder)(x))
    stopping.go_on(1.0)
    stopping.path.unlink()
    stopping.path.write_text("#define ADDED_BY_HEADER 3.0\n")
    assert function([x], includes(stopping.folder)(x))(2.0) == 5.0


def test_text_is_left_too(stopping):
    with pytest.raises(Stop):
        clinch.compile(f'#include "{stopping.path}"\n')
    stopping.go_on(1.0)


def test_who_waits_for_another_thread_is_not_kept_either(held, on_signal):
    def stop():
        raise Stop
    on_signal(stop)
    begun = threading.Event()
    held.when_read(begun.set)
    made = []
    text = (f'#include "{held.path}"\n'
            "double one(void) { return ADDED_BY_HEADER; }")
    other = threading.Thread(target=lambda: made.append(clinch.compile(text)))
    other.start()
    begun.wait()
    with pytest.raises(Stop):
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        clinch.compile(text)
    held.go_on(1.5)
    other.join()
    assert made[0]["double one(void)"]() == 1.5


def test_signals_that_raise_nothing_change_nothing(held, on_signal):
    seen = threading.Semaphore(0)
    on_signal(seen.release)

    def three_times():
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGUSR1)
            seen.acquire()
    held.when_read(three_times)
    threading.Thread(target=held.go_on, args=(1.0,)).start()
    x = double("x")
    assert function([x], includes(held.folder)(x))(2.0) == 3.0


HUGE = """
import os, signal, sys
import clinch
clinch.compile  # What is imported later is not to be left.
text = "double f(double x) {{ double z = x;\\n" + "".join(
    f"if (z > {{i}}) z = z * {{i}}.5 + x; else z -= x / {{i + 1}}.25;\\n"
    for i in range(4000)) + "return z; }}"

armed = False
def stop(*_):
    if armed:
        raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
for turn in range({turns}):
    try:
        try:
            armed = True
            signal.setitimer(signal.ITIMER_REAL, 0.05 + 0.11 * turn)
            clinch.compile(f"#define TURN {{turn}}\\n" + text)
        finally:
            armed = False
    except KeyboardInterrupt:
        pass
    one = clinch.compile(f"int f(int x) {{{{ return x + {{turn}}; }}}}")
    assert one["int f(int)"](1) == 1 + turn
print("done")
"""


def test_wherever_a_compile_is_left_all_goes_on():
    """Left in each of its stages; then the process ends while some are still
    on their way."""
    done = subprocess.run([sys.executable, "-c", HUGE.format(turns=12)],
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


CRASHES_LATER = """
import os, pathlib, signal, sys
sys.path.insert(0, {here!r})
import clinch
from held_header import HeldHeader
clinch.config.cache = False

class Stop(BaseException):
    pass

def stop(*_):
    raise Stop

def processes():
    with open(f"/proc/self/task/{{os.getpid()}}/children") as file:
        return file.read().split()

held = HeldHeader(pathlib.Path({path!r}))
signal.signal(signal.SIGUSR1, stop)
held.when_read(lambda: os.kill(os.getpid(), signal.SIGUSR1))
try:
    clinch.compile(f'#include "{{held.path}}"\\nint a = ' + "- " * 1000000 + "1;")
except Stop:
    held.go_on(1.0)
number = 0
while not processes():
    number += 1
    made = clinch.compile(f"int f(void) {{{{ return {{number}}; }}}}")
    assert made["int f(void)"]() == number
print("done")
"""


def test_a_compile_that_was_left_may_crash(tmp_path):
    """From then on others are compiled elsewhere."""
    script = CRASHES_LATER.format(here=os.path.dirname(__file__),
                                  path=str(tmp_path / "held.h"))
    done = subprocess.run([sys.executable, "-c", script], timeout=120,
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


def test_ctrl_c_in_a_script_is_pythons_own(held):
    # Who runs in the background of a shell has had it ignored.
    script = ("import signal\n"
              "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
              f"import clinch; clinch.compile('#include \"{held.path}\"\\n')")
    with subprocess.Popen([sys.executable, "-c", script], text=True,
                          stderr=subprocess.PIPE) as run:
        held.when_read(lambda: run.send_signal(signal.SIGINT))
        _, errors = run.communicate()
    held.thread.join()
    held.close()
    assert run.returncode == -signal.SIGINT
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
