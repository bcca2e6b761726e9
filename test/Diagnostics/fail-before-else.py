"""A semicolon after the block of fail ends the if."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("if (%(x)s < 0) %(fail)s; else %(z)s = 1;")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:43: error: expected expression before `else`; `sub["fail"]` is a block: write no `;` after it
# CHECK-NEXT:  if (V1 < 0) {failure = 3; goto label_3;}; else V2 = 1;
# CHECK-NEXT:                                            ^
