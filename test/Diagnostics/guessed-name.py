"""A name near one of a header: the guess, and nothing of that header."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(z)s = tow(%(x)s);")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:6: error: use of undeclared identifier 'tow'; did you mean 'pow'?
# CHECK-NEXT:  V2 = tow(V1);
# CHECK-NEXT:       ^
# CHECK-NEXT:  write instead: pow
# CHECK-NEXT:`Wrong.c_code` is at {{.*}}wrong.py:{{[0-9]+}}.
# CHECK-NOT:{{.}}
