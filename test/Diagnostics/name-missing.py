"""A name that is missing is missing wherever it is used."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("double a = toatl;\n%(z)s = toatl + a;\nif (toatl > 1) { %(z)s = other; }")

# CHECK:clinch.CompileError: The text does not compile: 2 errors.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:12: error: use of undeclared identifier 'toatl'
# CHECK-NEXT:  double a = toatl;
# CHECK-NEXT:             ^
# CHECK-NEXT:`Wrong.c_code` for `node_3`:3:23: error: use of undeclared identifier 'other'
# CHECK-NEXT:  if (toatl > 1) { V2 = other; }
# CHECK-NEXT:                        ^
# CHECK-NEXT:`Wrong.c_code` is at {{.*}}wrong.py:{{[0-9]+}}.
# CHECK-NOT:{{.}}
