"""An output is synced at its label, before its cleanup, and only if nothing failed; its
cell gets a reference of its own, as the cleanup sees the object too."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s
# RUN: clinch --emit=c --form=struct %s | FileCheck %s
x = double("x")
f = function([x], add(x, x))

# CHECK:      { // Block 2: `V2`, an output.
# CHECK:      label_2:
# CHECK-NEXT:   if (!failure) {
# CHECK:          PyFloat_FromDouble(V2);
# CHECK:      clinch_put(storage_V2, py_V2, {{.*}}) < 0)
# CHECK-NEXT:   failure = 2;
# CHECK:      Py_XDECREF(py_V2);
# CHECK:      label_1:
