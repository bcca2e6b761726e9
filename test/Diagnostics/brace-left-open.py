"""A brace that is never closed."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_extract="{ if (1) {")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Bad.c_extract` for `x`:1:10: error: this `{` is never closed: `}` is missing
# CHECK-NEXT:  { if (1) {
# CHECK-NEXT:           ^
