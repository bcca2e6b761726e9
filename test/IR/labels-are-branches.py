"""A failure stores its block's number and branches to its block's label; each label
goes on to the one of the block around it, and the last one returns the number."""
# RUN: clinch --no-cache --emit=llvm --form=function %s | FileCheck %s
x = double("x")
f = function([x], mul(x, x))

# CHECK-LABEL: define i32 @clinch_call(
# CHECK:      %failure = alloca i32
# CHECK:      store i32 0, ptr %failure
# CHECK:      store i32 1, ptr %failure
# CHECK-NEXT: br label %label_1
# The code of `mul` cannot fail, and nothing branches to its label but itself.
# CHECK:      br label %label_3
# CHECK:      label_3: {{.*}}; preds = %{{[^,]*$}}
# CHECK-NEXT: br label %label_2
# CHECK:      label_2:
# CHECK-NEXT: [[FAILED:%.*]] = load i32, ptr %failure
# CHECK:      store i32 2, ptr %failure
# CHECK:      br label %label_1
# CHECK:      label_1: {{.*}}; preds = %{{.*}}, %{{.*}}
# CHECK:      [[RESULT:%.*]] = load i32, ptr %failure
# CHECK:      ret i32 [[RESULT]]
