"""(x + y) * z, the seeds' own example: the ladder, and what it computes."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s --check-prefixes=C,FUN
# RUN: clinch --emit=c --form=struct %s | FileCheck %s --check-prefixes=C,STRUCT
# RUN: clinch --form=function --run=1.0,2.0,3.0 %s | FileCheck %s
# RUN: clinch --form=struct --run=1.0,2.0,3.0 %s | FileCheck %s
# RUN: clinch --language=c++ --form=function --run=1.0,2.0,3.0 %s | FileCheck %s
# RUN: clinch --language=c++ --form=struct --run=1.0,2.0,3.0 %s | FileCheck %s
# RUN: clinch --tier=fast --run=1.0,2.0,3.0 %s | FileCheck %s
# RUN: clinch --tier=max --run=1.0,2.0,3.0 %s | FileCheck %s
x, y, z = double("x"), double("y"), double("z")
f = function([x, y, z], mul(add(x, y), z))

# FUN:    int clinch_call(PyObject *const *clinch_cells)
# Inputs, then temporaries, then outputs, then applies.
# C:      { // Block 1: `x`, an input.
# C:      py_V1 = PyList_GET_ITEM(storage_V1, 0);
# C-NEXT: Py_INCREF(py_V1);
# C:      double V1;
# C:      {failure = 1; goto label_1;}
# C:      { // Block 2: `y`, an input.
# C:      {failure = 2; goto label_2;}
# C:      { // Block 3: `z`, an input.
# C:      {failure = 3; goto label_3;}
# C:      { // Block 4: `V4`, a temporary.
# Nobody asks for the temporary's Python object: it has none.
# C-NOT:  py_V4
# C:      V4 = 0.0;
# C:      { // Block 5: `V5`, an output.
# C:      { // Block 6: `add` as `node_6`, its code.
# C:      V4 = V1 + V2;
# C:      { // Block 7: `mul` as `node_7`, its code.
# C:      V5 = V4 * V3;

# Cleanups in reverse; the output is synced only when nothing failed.
# C:      label_7:
# C:      label_6:
# C:      label_5:
# C-NEXT:   if (!failure) {
# C-NEXT:     { // c_sync
# The cell gets a reference of its own: the cleanup sees the object, too.
# C:      Py_INCREF(py_V5);
# C-NEXT: PyList_SET_ITEM(storage_V5, 0, py_V5);
# C-NEXT: Py_XDECREF(clinch_old);
# C:      Py_XDECREF(py_V5);
# C:      label_4:
# C-NOT:    py_V4
# C:      label_3:
# C-NEXT:   Py_XDECREF(py_V3);
# C:      label_2:
# C-NEXT:   Py_XDECREF(py_V2);
# C:      label_1:
# C-NEXT:   Py_XDECREF(py_V1);
# C:      return failure;
# STRUCT: int clinch_init(void *clinch_memory, PyObject *const *clinch_cells)
# STRUCT: int clinch_run(void *clinch_memory)
# STRUCT: void clinch_cleanup(void *clinch_memory)

# CHECK: 9.0
