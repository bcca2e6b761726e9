"""`return` skips cleanups."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(z)s = %(x)s;\nreturn 1;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:2:1: error: `return` may not be used here: it would skip the cleanups of this block and of those around it; write `sub["fail"]` to fail, or let the code run to its end
# CHECK-NEXT:  return 1;
# CHECK-NEXT:  ^
