"""An output is synced at its label, before its cleanup, and only if nothing failed; its
cell gets a reference of its own, as the cleanup sees the object too."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s
# RUN: clinch --emit=c --form=struct %s | FileCheck %s
x = double("x")
f = function([x], add(x, x))

# CHECK:      { // Block 2: `V2`, an output.
# CHECK:      label_2:
# CHECK-NEXT:   if (!failure) {
# CHECK-NEXT:     { // c_sync
# CHECK:      Py_INCREF(py_V2);
# CHECK-NEXT: PyList_SET_ITEM(storage_V2, 0, py_V2);
# CHECK-NEXT: Py_XDECREF(clinch_old);
# CHECK:      Py_XDECREF(py_V2);
# CHECK:      label_1:
