"""A flag that the compiler does not know."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_compile_args=lambda self: ["-fno-such-flag"])

# CHECK:clinch.CompileError: The compiler does not take these flags: unknown argument: '-fno-such-flag'.
# CHECK-NEXT:`Wrong.c_compile_args`: error: `-fno-such-flag` is given here
