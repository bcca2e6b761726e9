"""`c_declare` only declares."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="double %(name)s; %(name)s = 3;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:12: error: only declarations may stand here: this text also declares the members of a struct, where nothing runs; move the statement to `c_init` or `c_extract`
# CHECK-NEXT:  double V1; V1 = 3;
# CHECK-NEXT:             ^
# CHECK-NEXT:note: the same for `V2`
