"""A header that is not there."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_headers=lambda self: ["nowhere.h"])

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_headers`:1:10: error: 'nowhere.h' file not found
# CHECK-NEXT:  #include "nowhere.h"
# CHECK-NEXT:           ^
