"""A template's own key that Python does not know."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
# RUN: not clinch --language=c++ %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("%(nam)s = 1;")

# CHECK:KeyError: 'nam'
# CHECK-NEXT:Clinch was calling `Wrong.c_code` for `node_3`, made at {{.*}}wrong.py:{{[0-9]+}} in op. The keys of `sub` are `name`, `failure_var`, `id`, `fail`.
