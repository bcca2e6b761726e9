"""A label of one's own may not be one of Clinch's."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("label_2: %(z)s = %(x)s;")

# CHECK:clinch.RuleError: The text breaks a rule in 1 place.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:1:1: error: the label `label_2` is one of Clinch's own; put `{name}` in it
# CHECK-NEXT:  label_2: V2 = V1;
# CHECK-NEXT:  ^
