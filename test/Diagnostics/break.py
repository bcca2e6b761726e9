"""`break` may not leave the block."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(z)s = %(x)s; break;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:10: error: `break` may not leave this block: it would skip cleanups; use it inside a loop or switch of the same piece of code
# CHECK-NEXT:  V2 = V1; break;
# CHECK-NEXT:           ^
