"""DebugMode compares C with perform and checks what an Op promises."""
# RUN: clinch %s 2>&1 | FileCheck %s


class Twice(Op):
    __props__ = ("factor",)

    def __init__(self, factor):
        self.factor = factor

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {self.factor} * {inputs[0]};"

    def perform(self, node, inputs, outputs):
        outputs[0][0] = 2.0 * inputs[0]


x = double("x")
print(function([x], Twice(2)(x), mode="DebugMode")(3.0))
try:
    function([x], Twice(3)(x), mode="DebugMode")(3.0)
except Exception as error:
    print(type(error).__name__, error)

# CHECK:      6.0
# CHECK-NEXT: DebugModeError
# CHECK-SAME: Twice
# CHECK:      9.0
# CHECK-SAME: 6.0
