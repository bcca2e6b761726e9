"""`--linker` says whether a graph may be cut around an Op without C."""
# RUN: clinch %s | FileCheck %s --check-prefix=CUT
# RUN: clinch --linker=auto %s | FileCheck %s --check-prefix=CUT
# RUN: clinch --linker=op %s | FileCheck %s --check-prefix=CUT
# RUN: not clinch --linker=graph %s 2>&1 | FileCheck %s --check-prefix=STRICT


class Twice(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * 2


x = vector("x")
print(function([x], exp(Twice()(x)) + 1)([0.0]))

# CUT: [2.]
# STRICT: `Twice` has no C code, only `perform`
