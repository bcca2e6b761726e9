"""A macro does not reach other texts."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("#define FACTOR 2\n%(z)s = FACTOR * %(x)s;")

# CHECK:clinch.HookError: `Wrong.c_code` for `node_3`:1:1: error: the macro `FACTOR` is never undefined and would reach the texts after this one; end with `#undef FACTOR`, or define it in c_support_code
# CHECK-NEXT:  #define FACTOR 2
# CHECK-NEXT:  ^
