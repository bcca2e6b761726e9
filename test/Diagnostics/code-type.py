"""`c_code` that returns nothing."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_code=lambda self, node, name, i, o, sub: None)

# CHECK:clinch.HookError: `Wrong.c_code` for `node_3` must return a str; it returned None.
