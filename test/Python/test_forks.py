"""Forks, while other threads are at anything: a child never hangs."""

import os
import subprocess
import sys
import textwrap

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

PROLOGUE = """
    import os, random, sys, threading, time
    import clinch
    clinch.config.cache = False

    def text(number, **options):
        f = clinch.compile(f"int f(void) {{ return {number}; }}", **options)
        assert f["int f()"]() == number

    def in_child(work):
        pid = os.fork()
        if not pid:
            status = 1
            try:
                work()
                status = 0
            finally:
                os._exit(status)
        for _ in range(12000):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                assert status == 0, status
                return
            time.sleep(0.01)
        os.kill(pid, 9)
        sys.exit("the child hangs")
"""


def run(script, *arguments):
    subprocess.run([sys.executable, "-c",
                    textwrap.dedent(PROLOGUE) + textwrap.dedent(script),
                    *arguments], check=True, timeout=600)


@pytest.mark.parametrize("delay", range(0, 36, 4))
def test_while_another_thread_loads_the_engine(delay):
    run("""
        thread = threading.Thread(target=text, args=(1,))
        thread.start()
        time.sleep(int(sys.argv[1]) / 1000)
        in_child(lambda: text(2))
        thread.join()
        """, str(delay))


def test_while_another_thread_precompiles_headers():
    """Of C++ with a standard of its own: that takes a second."""
    run("""
        options = {"language": "c++", "python": True, "flags": ["-std=c++14"],
                   "tier": "fast"}
        text(0)
        thread = threading.Thread(target=text, args=(1,), kwargs=options)
        thread.start()
        time.sleep(0.1)
        in_child(lambda: text(2))
        assert thread.is_alive()
        thread.join()
        in_child(lambda: text(3, **options))
        """)


def test_the_child_precompiles_what_its_parent_was_precompiling():
    run("""
        options = {"python": True, "flags": ["-std=gnu17"], "tier": "fast"}
        text(0)
        thread = threading.Thread(target=text, args=(1,), kwargs=options)
        thread.start()
        time.sleep(0.1)
        in_child(lambda: text(2, **options))
        thread.join()
        """)


SLOW = """
    slow = ("int g(int a) {\\n" + "a = a * 3 + 1; if (a & 1) a ^= a << 1;\\n"
            * 20000 + "return a; }")
    def compile_slowly():
        clinch.compile(slow)
    text(0)
    thread = threading.Thread(target=compile_slowly)
    thread.start()
    time.sleep(0.1)
"""


def test_no_handler_of_ours_stays_in_a_child():
    run(SLOW + """
    import ctypes, signal
    class Action(ctypes.Structure):
        _fields_ = [("handler", ctypes.c_void_p), ("rest", ctypes.c_char * 256)]
    def handler(number):
        action = Action()
        ctypes.CDLL(None).sigaction(number, None, ctypes.byref(action))
        return action.handler
    signals = [signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE,
               signal.SIGABRT, signal.SIGTRAP]
    def look():
        assert [handler(n) for n in signals] == [None] * 6
        text(1)
        assert [handler(n) for n in signals] == [None] * 6
    assert all(handler(n) for n in signals)
    in_child(look)
    assert thread.is_alive()
    """)


def test_the_child_ends_while_its_parent_compiles():
    """It waits for nothing of its parent's when it ends."""
    run(SLOW + """
    begin = time.monotonic()
    if not os.fork():
        sys.exit(0)
    assert os.wait()[1] == 0
    assert thread.is_alive()
    """)


def test_random_forks():
    """A slice of what the soak does."""
    script = os.path.join(HERE, os.pardir, "Soak", "forks.py")
    subprocess.run([sys.executable, script, "--seconds=5", "--seed=1"],
                   check=True, timeout=600)
