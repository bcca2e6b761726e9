# REQUIRES: strace
# RUN: env CLINCH_BUILD=%build PYTHONPATH=%S/Inputs strace -f -qq -o %t.trace -e trace=process %python %s compile
# RUN: %python %s check %t.trace | FileCheck %s
# No program is started and no process is made while texts are compiled.
import re
import sys


def compile_all():
    import compiler
    session = compiler.Session()
    for language in ("c", "c++"):
        for tier in ("fast", "default", "max"):
            for python in (False, True):
                module = session.compile(
                    "%s int f(void) { return 3; }"
                    % ('extern "C"' if language == "c++" else ""),
                    language=language, tier=tier, python=python)
                assert module.function("f", compiler.ctypes.c_int)() == 3
    try:
        session.compile("this is no C")
    except compiler.CompileError:
        print("an error too")


def check(path):
    calls = open(path).read().splitlines()
    programs = [c for c in calls if re.search(r"\bexecve(at)?\(", c)]
    made = [c for c in calls
            if re.search(r"\b(fork|vfork|clone3?)\(", c)
            and "CLONE_THREAD" not in c]
    threads = [c for c in calls if "CLONE_THREAD" in c]
    # The one program is the test itself, and the trace is not blind.
    # CHECK: programs 1
    # CHECK-NEXT: processes 0
    # CHECK-NEXT: saw threads: True
    print("programs", len(programs))
    print("processes", len(made))
    print("saw threads:", bool(threads))


if sys.argv[1] == "compile":
    compile_all()
else:
    check(sys.argv[2])
