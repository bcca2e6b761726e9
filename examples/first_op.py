"""An Op says in C what to compute; graphs of Ops compile into one function."""

from clinch import Apply, COp, as_variable, double, function


class Hypotenuse(COp):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [as_variable(x, double), as_variable(y, double)], [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, y = inputs
        z, = outputs
        return f"{z} = sqrt({x} * {x} + {y} * {y});"

    def c_headers(self, c_compiler=None):
        return ["<math.h>"]


x, y = double("x"), double("y")
print(function([x, y], Hypotenuse()(x, y))(3, 4))  # prints: 5.0
