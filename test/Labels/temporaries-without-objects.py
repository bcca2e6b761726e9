"""A temporary has no Python object if no text names one: nothing to sync or release."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s
# RUN: clinch --emit=c --form=struct %s | FileCheck %s
x = double("x")
f = function([x], mul(add(x, x), x))

# CHECK:     { // Block 2: `V2`, a temporary.
# CHECK-NOT: py_V2
# CHECK:     V2 = 0.0;
# CHECK:     { // Block 3: `V3`, an output.
# CHECK:     py_V3
# CHECK:     label_2:
# CHECK-NOT: py_V2
# CHECK:     label_1:
