"""A macro of a header: its name, once."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("Py_CLEAR(%(x)s);")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:{{1|10}}: error: {{.*'double'.*}}
# CHECK-NEXT:  Py_CLEAR(V1);
# CHECK-NEXT:  {{ *\^}}
# CHECK-NEXT:{{.*}}object.h:{{[0-9:]+}}: note: expanded from macro `Py_CLEAR`
# CHECK-NEXT:  {{.*}}
# CHECK-NEXT:  {{ *\^}}
# CHECK-NEXT:`Wrong.c_code` is at {{.*}}wrong.py:{{[0-9]+}}.
# CHECK-NOT:{{.}}
