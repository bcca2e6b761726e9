"""An exception in a hook arrives whole, and a note says where."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_support_code=lambda self: [][1])

# CHECK:IndexError: list index out of range
# CHECK-NEXT:Clinch was calling `Wrong.c_support_code`.
