"""A hook that returns what is no text."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_support_code=lambda self: 3)

# CHECK:clinch.HookError: `Wrong.c_support_code` must return a str or a list of str; it returned a value of type `int`.
