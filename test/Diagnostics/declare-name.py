"""Declared names contain the variable's."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="double %(name)s; int helper;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:16: error: the name `helper` must contain `V1`: the variables of a graph share their scopes; write `helper_{name}`
# CHECK-NEXT:  double V1; int helper;
# CHECK-NEXT:                 ^
# CHECK-NEXT:note: the same for `V2`
