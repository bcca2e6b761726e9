"""Every macro of an Op's C file, with parameters, and a function that takes
more arguments than there are inputs."""
# RUN: rm -rf %t && mkdir %t
# RUN: clinch %s %S/Inputs/macros.c %S/Inputs/padded.c | FileCheck %s
# RUN: clinch --language=c++ %s %S/Inputs/macros.c %S/Inputs/padded.c | FileCheck %s
import sys

import numpy


class Macros(ExternalCOp):
    """Says what each macro stands for."""
    __props__ = ("power",)
    params_type = ParamsType(power=Scalar("int32"),
                             table=TensorType("float32", (None,)))

    def __init__(self, power):
        super().__init__(sys.argv[1])
        self.power = power
        self.table = numpy.array([5, 7], dtype="float32")

    def make_node(self, x, y):
        return Apply(self, [x, y], [TensorType("float64", (None,))()])


class Padded(ExternalCOp):
    """Up to three inputs and two outputs; NULL for those that are not."""
    __props__ = ()
    _cop_num_inputs = 3
    _cop_num_outputs = 2

    def __init__(self):
        super().__init__(sys.argv[2], "padded")

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [inputs[0].type()])


x = TensorType("int16", (None,))("x")
y = TensorType("complex64", (None,))("y")
f = function([x, y], Macros(3)(x, y))
print(f(numpy.zeros(2, "int16"), numpy.zeros(3, "complex64")))

v = TensorType("float64", (None,))
a, b = v("a"), v("b")
one, two = numpy.ones(2), numpy.full(2, 2.0)
print(function([a], Padded()(a))(one), function([a, b], Padded()(a, b))(one, two))

# CHECK:      DTYPE_INPUT_0 2, ITEMSIZE_INPUT_0 2, TYPENUM_INPUT_0 1
# CHECK-NEXT: DTYPE_INPUT_1 8, ITEMSIZE_INPUT_1 8, TYPENUM_INPUT_1 1
# CHECK-NEXT: DTYPE_OUTPUT_0 8, ITEMSIZE_OUTPUT_0 8, TYPENUM_OUTPUT_0 1
# CHECK-NEXT: PARAMS power 3, PARAMS_TYPE 1, DTYPE_PARAM_power 4, DTYPE_PARAM_table 4
# CHECK-NEXT: [2. 3.]
# CHECK-NEXT: inputs 1 0 0, outputs 1 0
# CHECK-NEXT: inputs 1 1 0, outputs 1 0
# CHECK-NEXT: [1. 1.] [3. 3.]
