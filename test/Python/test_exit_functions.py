"""Functions that run when the process or code ends: atexit and its relatives, destructors."""

import ctypes
import gc
import os
import subprocess
import sys

import pytest

import clinch

NAMES = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


@pytest.fixture
def said():
    """What `say(NAME)` of C was given; `said.symbols` is the option for `compile`."""
    class Said(list):
        pass

    names = Said()
    say = NAMES(lambda name: names.append(name.decode()))
    names.symbols = {"say": ctypes.cast(say, ctypes.c_void_p).value}
    names.keep = say
    return names


def run(code, status=0, **more):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=300, **more)
    assert (done.returncode, done.stderr) == (status, "")
    return done.stdout


def test_atexit_runs_before_the_code_goes(said):
    code = clinch.compile("""
        #include <stdlib.h>
        void say(const char *);
        static void first(void) { say("first"); }
        static void second(void) { say("second"); }
        int f(void) { return atexit(first) || atexit(second); }
        int g(void) { return atexit(second); }
    """, symbols=said.symbols)
    assert (code.f(), code.g(), said) == (0, 0, [])
    del code
    gc.collect()
    assert said == ["second", "second", "first"]


def test_atexit_runs_at_the_end_of_the_process():
    assert run("""if 1:
        import clinch
        code = clinch.compile('''
            #include <stdio.h>
            #include <stdlib.h>
            static void end(void) { puts("end"); }
            int f(void) { return atexit(end); }
        ''')
        print(code.f(), flush=True)
        kept = [code]
        kept.append(kept)
    """) == "0\nend\n"


def test_at_quick_exit():
    text = """if 1:
        import clinch, ctypes, gc
        texts = [clinch.compile('''
            #include <stdio.h>
            #include <stdlib.h>
            static void end(void) { puts("NAME"); fflush(stdout); }
            int f(void) { return at_quick_exit(end); }
        '''.replace("NAME", name)) for name in ("one", "two")]
        print(*(text.f() for text in texts), flush=True)
        del texts[1]
        gc.collect()
        ctypes.CDLL(None).quick_exit(3)
    """
    assert run(text, 3) == "0 0\none\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_pthread_atfork():
    text = """if 1:
        import clinch, gc, os
        code = clinch.compile('''
            #include <pthread.h>
            #include <unistd.h>
            static void before(void) { write(1, "before\\\\n", 7); }
            static void parent(void) { write(1, "parent\\\\n", 7); }
            static void child(void) { write(1, "child\\\\n", 6); }
            int f(void) { return pthread_atfork(before, 0, 0)
                              || pthread_atfork(0, parent, child); }
        ''')
        print(code.f(), flush=True)
        for _ in range(2):
            made = os.fork()
            if not made:
                os._exit(0)
            os.waitpid(made, 0)
            code = None
            gc.collect()
    """
    out = run("import warnings; warnings.simplefilter('ignore')\n" + text)
    assert sorted(out.splitlines()) == ["0", "before", "child", "parent"]


def test_a_program_with_atexit(tmp_path):
    (tmp_path / "p.c").write_text("""
        #include <stdio.h>
        #include <stdlib.h>
        static void end(void) { puts("end"); }
        int main(void) { atexit(end); puts("main"); return 4; }
    """)
    done = subprocess.run([sys.executable, "-m", "clinch", tmp_path / "p.c"],
                          capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (4, "main\nend\n", "")


ONE = """
extern "C" void say(const char *);
struct One {
  const char *name;
  One(const char *name) : name(name) { say(name); }
  ~One() { say(name); }
};
"""


def test_destructors_run_in_the_reverse_order_of_construction(said):
    """Also across the texts of one program, and with priorities."""
    program = clinch.link([
        ONE + 'One a1("a1"), a2("a2"); extern "C" int f() { static One l("local"); return 1; }',
        ONE + 'One b1("b1"); __attribute__((init_priority(200))) One b0("b0");',
        ONE + 'extern "C" int g() { static One l("last"); return 2; }',
    ], language="c++", symbols=said.symbols)
    assert sorted(said) == ["a1", "a2", "b0", "b1"] and said[0] == "b0"
    assert (program.g(), program.f()) == (2, 1)
    made = list(said)
    assert made[4:] == ["last", "local"]
    said.clear()
    del program
    gc.collect()
    assert said == made[::-1]
