"""The loop over items that lie one behind the other is made of vectors: of an
expression, of a comparison beside another dtype, and of a sum."""
# RUN: clinch --emit=llvm-opt --function=expression %s | FileCheck %s
# RUN: clinch --emit=llvm-opt --function=choice %s | FileCheck %s --check-prefix=CHOICE
# RUN: clinch --emit=llvm-opt --function=total %s | FileCheck %s --check-prefix=TOTAL
# RUN: clinch --emit=llvm-opt --function=halves %s | FileCheck %s --check-prefix=HALVES
# RUN: clinch --emit=llvm-opt --function=checked %s | FileCheck %s --check-prefix=CHECKED

x, y = vector("x"), vector("y")
i = TensorType("int32", (None,))("i")
expression = function([x, y], x * y + x * 2.0)
choice = function([x, i], where(x > 2.0, x, i))
total = function([x, y], (x * y).sum())
checked = function([i], i // i)
h = TensorType("float16", (None,))("h")
halves = function([h], h * h)

# CHECK-LABEL: _kernel(
# CHECK: vector.body:
# CHECK: fmul <{{[0-9]+}} x double>
# CHECK: store <{{[0-9]+}} x double>

# CHOICE-LABEL: _kernel(
# CHOICE: vector.body:
# CHOICE: sitofp <{{[0-9]+}} x i32> {{.*}} to <{{[0-9]+}} x double>
# CHOICE: select <{{[0-9]+}} x i1>

# TOTAL: fadd <{{[0-9]+}} x double>

# HALVES: fmul <{{[0-9]+}} x half>

# A loop that may stop at any item goes from one to the next.
# CHECKED-LABEL: _kernel(
# CHECKED-NOT: vector.body:
# CHECKED: clinch_failing
