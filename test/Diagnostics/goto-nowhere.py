"""A `goto` to a label that is nowhere."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("goto nowhere;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:1: error: `goto nowhere` may not leave this block: it would skip cleanups, or run some twice; jump to a label of the same piece of code, or write `sub["fail"]` to fail
# CHECK-NEXT:  goto nowhere;
# CHECK-NEXT:  ^
