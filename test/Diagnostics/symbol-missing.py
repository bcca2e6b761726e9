"""Symbols that are nowhere: every one is listed, with the hook that uses it."""
# RUN: not clinch %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

wrong.op("extern int nowhere_1(void), nowhere_2(void);\n%(z)s = nowhere_1() + nowhere_2();")

# CHECK:clinch.LinkError: Symbols are missing: expected the host, a named library or the process to define `nowhere_1`, `nowhere_2`.
# CHECK-NEXT:`Wrong.c_code` for `node_3`:2:6: error: `nowhere_1` is used, and nothing defines it.
# CHECK-NEXT:  V2 = nowhere_1() + nowhere_2();
# CHECK-NEXT:       ^
# CHECK-NEXT:`Wrong.c_code` for `node_3`:2:20: error: `nowhere_2` is used, and nothing defines it.
# CHECK-NEXT:  V2 = nowhere_1() + nowhere_2();
# CHECK-NEXT:                     ^
