"""Optimised, the temporary of `(x + y) * z` is no memory, and no object of Python's."""
# RUN: clinch --no-cache --emit=llvm-opt --form=function %s | FileCheck %s
# RUN: clinch --no-cache --emit=llvm-opt --form=struct %s | FileCheck %s
x, y, z = double("x"), double("y"), double("z")
f = function([x, y, z], mul(add(x, y), z))

# CHECK-NOT:  alloca
# CHECK:      [[SUM:%.*]] = fadd double
# CHECK-NEXT: [[PRODUCT:%.*]] = fmul double [[SUM]],
# CHECK-NOT:  alloca
# CHECK:      @PyFloat_FromDouble(double noundef [[PRODUCT]])
