"""The author's own loops, switches, labels, functions and statement
expressions are nobody else's business."""
# RUN: clinch %s | FileCheck %s
# RUN: clinch --language=c++ %s | FileCheck %s
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
import wrong

f = wrong.op("""
    int i_%(name)s = 0;
    for (;; i_%(name)s++) {
        if (i_%(name)s == 1)
            continue;
        if (i_%(name)s == 5)
            break;
        switch (i_%(name)s) {
        case 3:
            goto done_%(name)s;
        default:
            break;
        }
    }
done_%(name)s:
    do { break; } while (1);
    %(z)s = half_of(({ double v_%(name)s = %(x)s; v_%(name)s; }))
            + i_%(name)s;
""", c_support_code=lambda self: """
    static double half_of(double x) { if (x < 0) return 0; return x / 2; }
""")
print(f(8.0), f(-8.0))

# CHECK: 7.0 3.0
