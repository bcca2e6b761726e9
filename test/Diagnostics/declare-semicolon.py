"""A message points at the author's line, not at ours."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="double %(name)s")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:10: error: expected ';' at end of declaration
# CHECK-NEXT:  double V1
# CHECK-NEXT:           ^
# CHECK-NEXT:  write instead: ;
