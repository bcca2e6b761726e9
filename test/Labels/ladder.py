"""`(x + y) * z`, the seeds' own example: blocks are opened one in another, and closed
in reverse, each at its own label."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s
# RUN: clinch --emit=c --form=struct %s | FileCheck %s
# RUN: %every-way --run=1.0,2.0,3.0 %s | FileCheck %s --check-prefix=VALUE
x, y, z = double("x"), double("y"), double("z")
f = function([x, y, z], mul(add(x, y), z))

# Inputs, then temporaries, then outputs, then applies.
# CHECK:      { // Block 1: `x`, an input.
# CHECK:      py_V1 = PyList_GET_ITEM(storage_V1, 0);
# CHECK-NEXT: Py_INCREF(py_V1);
# CHECK:      {failure = 1; goto label_1;}
# CHECK:      { // Block 2: `y`, an input.
# CHECK:      {failure = 2; goto label_2;}
# CHECK:      { // Block 3: `z`, an input.
# CHECK:      {failure = 3; goto label_3;}
# CHECK:      { // Block 4: `V4`, a temporary.
# CHECK:      { // Block 5: `V5`, an output.
# CHECK:      { // Block 6: `add` as `node_6`, its code.
# CHECK:      V4 = V1 + V2;
# CHECK:      { // Block 7: `mul` as `node_7`, its code.
# CHECK:      V5 = V4 * V3;

# CHECK:      label_7:
# CHECK:      label_6:
# CHECK:      label_5:
# CHECK:      Py_XDECREF(py_V5);
# CHECK:      label_4:
# CHECK:      label_3:
# CHECK-NEXT: Py_XDECREF(py_V3);
# CHECK:      label_2:
# CHECK-NEXT: Py_XDECREF(py_V2);
# CHECK:      label_1:
# CHECK-NEXT: Py_XDECREF(py_V1);
# CHECK:      return failure;

# VALUE: 9.0
