"""A function in c_support_code_struct is what only C++ can do."""
# RUN: not clinch %s 2>&1 | FileCheck %s
# RUN: clinch --language=c++ %s | FileCheck %s --check-prefix=CXX
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

f = wrong.op("%(z)s = twice_%(name)s(%(x)s);",
             c_support_code_struct=lambda self, node, name:
             f"double twice_{name}(double x) {{ return 2 * x; }}")
print(f(4.0))

# CHECK: `Wrong.c_support_code_struct`
# CHECK-SAME: C++
# CXX: 8.0
