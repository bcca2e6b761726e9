"""A language that is none."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_compiler=lambda self: "fortran")

# CHECK:clinch.HookError: `Wrong.c_compiler` returned `fortran`; expected `c` or `c++`
