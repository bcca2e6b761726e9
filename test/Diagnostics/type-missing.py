"""A type that is missing is one error, wherever its variables are used."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_declare="my_range %(name)s;")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Bad.c_declare` for `x`:1:1: error: {{use of undeclared identifier|unknown type name}} 'my_range'
# CHECK-NEXT:  my_range V1;
# CHECK-NEXT:  ^
# CHECK-NEXT:`Bad.c_declare` is at {{.*}}wrong.py:{{[0-9]+}}.
# CHECK-NOT:{{.}}
