"""`c_declare` gives no values."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="double %(name)s = 3;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:8: error: `V1` may not be given a value here: a failure jumps over it, and in a struct nothing runs; give the value in `c_init` or `c_extract`
# CHECK-NEXT:  double V1 = 3;
# CHECK-NEXT:         ^
# CHECK-NEXT:note: the same for `V2`
