# REQUIRES: lldb
# A sanitizer is loaded into the process, never into lldb itself.
# RUN: env -u LD_PRELOAD CLINCH_BUILD=%build PYTHONPATH=%S/Inputs %lldb -x -b -O "settings set plugin.jit-loader.gdb.enable on" -O "settings set target.env-vars %preload" -o "breakpoint set -f generated.c -l 5" -o run -o bt -o "frame variable" -o "expression -- helper(20)" -o continue -- %python %s > %t.out 2>&1
# RUN: FileCheck %s < %t.out
# What gdb can do (gdb.py), lldb can, too: a breakpoint on a line of a text that
# was compiled for a debugger, its variables and its source; and call it.
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
# CHECK: stop reason = breakpoint 1.1
# CHECK-NEXT: `entry(x=3) at generated.c:5
# CHECK: 2   	int helper(int x) { return 2 * x; }
# CHECK: -> 5   	  total = y;
# CHECK: frame #0: {{.*}}`entry(x=3) at generated.c:5
# CHECK-NEXT: frame #1:
# CHECK: (int) x = 3
# CHECK-NEXT: (int) y = 6
# CHECK: (int) $0 = 40
# CHECK: entry: 7
# CHECK: exited with status = 0
