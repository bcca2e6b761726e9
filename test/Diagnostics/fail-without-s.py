"""`%(fail)` without its s, which nobody fills."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_code=lambda *_: "if (1) { %(fail) }")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:10: error: `%(fail)` is still there, without its `s`: nothing was put in its place; write `sub["fail"]`
# CHECK-NEXT:  if (1) { %(fail) }
# CHECK-NEXT:           ^
