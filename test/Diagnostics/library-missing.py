"""A library that is not there."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_libraries=lambda self: ["nowhere"])

# CHECK:clinch.LinkError: A library is missing: `nowhere`: expected `libnowhere.so` in the folders of the system.
# CHECK-NEXT:`Wrong.c_libraries`: error: `nowhere` is given here
