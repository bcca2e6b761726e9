"""A Type's cleanup may not fail."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.of_type(c_cleanup="%(fail)s")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Bad.c_cleanup` for `x`:1:2: error: this code may not fail: it runs while cleanups run, and failing would run them again; check what can fail in `c_code` or `c_extract`, or report it and go on
# CHECK-NEXT:  {failure = 1; goto label_1;}
# CHECK-NEXT:   ^
# CHECK-NEXT:note: the same for `V2`
