"""Calls a function of a text that was compiled for a debugger."""
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
