"""A cleanup may not fail."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op(c_code_cleanup=wrong.filled("%(fail)s"))

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Wrong.c_code_cleanup` for `node_3`:1:2: error: this code may not fail: it runs while cleanups run, and failing would run them again; check what can fail in `c_code` or `c_extract`, or report it and go on
# CHECK-NEXT:  {failure = 3; goto label_3;}
# CHECK-NEXT:   ^
