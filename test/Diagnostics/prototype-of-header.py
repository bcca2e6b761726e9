"""What a header declares is shown where it is used wrongly."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(z)s = PyFloat_AsDouble();")

# CHECK:clinch.CompileError: The text does not compile: 1 error.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:{{[0-9]+}}: error: {{.*}}
# CHECK-NEXT:  V2 = PyFloat_AsDouble();
# CHECK-NEXT:  {{ *\^}}
# CHECK-NEXT:{{.*}}floatobject.h:{{[0-9:]+}}: note: {{.*}}
# CHECK-NEXT:  PyAPI_FUNC(double) PyFloat_AsDouble(PyObject*);
# CHECK-NEXT:  {{ *\^}}
# CHECK-NEXT:`Wrong.c_code` is at {{.*}}wrong.py:{{[0-9]+}}.
# CHECK-NOT:{{.}}
