"""Clang remarks that the loops it finds in the C of an expression and of a reduction
along columns are made of vectors (those along rows are written so); and that one which
may stop at any item is not."""
# RUN: clinch --emit=c --function=expression -o %t.c %s
# RUN: %python %S/Inputs/remarks.py %t.c | FileCheck %s --check-prefix=LOOP
# RUN: clinch --emit=c --function=sums -o %t.c %s
# RUN: %python %S/Inputs/remarks.py %t.c | FileCheck %s --check-prefix=REDUCED
# RUN: clinch --emit=c --function=checked -o %t.c %s
# RUN: %python %S/Inputs/remarks.py %t.c | FileCheck %s --check-prefix=CHECKED

x, y = vector("x"), vector("y")
m = matrix("m")
i = TensorType("int32", (None,))("i")
expression = function([x, y], x * y + x * 2.0)
sums = function([m], m.sum(axis=0))
checked = function([i], i // i)

# LOOP: loop_{{[0-9a-f]+}}_kernel: vectorized loop

# REDUCED-DAG: {{^}}combine: vectorized loop
# REDUCED-DAG: {{^}}combine_four: vectorized loop

# CHECKED-NOT: kernel: vectorized loop
# CHECKED: kernel: loop not vectorized
