# REQUIRES: gdb-calls-functions
# A sanitizer is loaded into the process, never into gdb itself: that hangs.
# RUN: env -u LD_PRELOAD CLINCH_BUILD=%build PYTHONPATH=%S/Inputs gdb -q -nx -batch -iex "set exec-wrapper env %preload" -ex "set breakpoint pending on" -ex "break generated.c:5" -ex run -ex "print helper(20)" -ex continue --args %python %s > %t.out 2>&1
# RUN: FileCheck %s < %t.out
# A function of a text that was compiled for a debugger is called by it.
import ctypes
import os

import compiler

TEXT = """\
int total;
int helper(int x) { return 2 * x; }
int entry(int x) {
  int y = helper(x);
  total = y;
  return y + 1;
}
"""
session = compiler.Session()
module = session.compile(TEXT, name="generated.c", tier="fast", debug=True,
                         flags=["-O0"])
print("entry:", module.function("entry", ctypes.c_int, ctypes.c_int)(3))
module.release()
os.unlink(f"/tmp/perf-{os.getpid()}.map")
# CHECK: Breakpoint 1, entry (x=3) at {{.*}}generated.c:5
# CHECK: $1 = 40
# CHECK: entry: 7
