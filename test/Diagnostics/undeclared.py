"""An unknown name."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(z)s = unknown_function(%(x)s);")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:6: error: use of undeclared identifier 'unknown_function'
# CHECK-NEXT:  V2 = unknown_function(V1);
# CHECK-NEXT:       ^
