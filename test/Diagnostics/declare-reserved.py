"""`py_` names are Clinch's."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="double %(name)s; int py_%(name)s;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:16: error: the name `py_V1` is taken: Clinch declares it itself; choose another that contains `{name}`
# CHECK-NEXT:  double V1; int py_V1;
# CHECK-NEXT:                 ^
# CHECK-NEXT:note: the same for `V2`
