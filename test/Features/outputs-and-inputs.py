"""Odd interfaces: an output that is an input, one twice, one that is a
constant, an input that nobody reads, several outputs of one Op."""
# RUN: %every-way %s | FileCheck %s
# RUN: clinch --linker=op %s | FileCheck %s


class SumAndProduct(Op):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type(), x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, y = inputs
        total, product = outputs
        return f"{total} = {x} + {y}; {product} = {x} * {y};"


x, y, unused = double("x"), double("y"), double("unused")
total, product = SumAndProduct()(x, y)
print(function([x, y], [product, x, total, total])(3.0, 4.0))
print(function([x, unused], x)(1.5, 2.5))
print(function([], double.make_constant(7.0))())
print(function([x], [])(1.0))
# An intermediate value may be given instead of what it is made of.
print(function([total, y], mul(total, y))(10.0, 2.0))

# CHECK:      [12.0, 3.0, 7.0, 7.0]
# CHECK-NEXT: 1.5
# CHECK-NEXT: 7.0
# CHECK-NEXT: []
# CHECK-NEXT: 20.0
