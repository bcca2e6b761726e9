"""An Op that destroys its input runs after all that read it, however the graph
was written."""
# RUN: clinch --emit=graph %s | FileCheck %s --check-prefix=GRAPH
# RUN: clinch %s run | FileCheck %s
# RUN: clinch --linker=op %s run | FileCheck %s
import sys

import numpy

vector_type = TensorType("float64", (None,))


class Increment(Op):
    """Adds 1 to each item, in place."""
    __props__ = ()
    destroy_map = {0: [0]}

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        x, z = inputs[0], outputs[0]
        return f"""
            for (npy_intp i_{name} = 0; i_{name} < PyArray_DIMS({x})[0];
                 i_{name}++)
                *(double *)PyArray_GETPTR1({x}, i_{name}) += 1;
            Py_XDECREF({z});
            {z} = {x};
            Py_INCREF({z});
        """


class First(Op):
    """The first item, as a float."""
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = *(double *)PyArray_GETPTR1({inputs[0]}, 0);"


x = vector_type("x")
destroyed = Increment()(x)
f = function([In(x, mutable=True)], [destroyed, First()(x)])

# GRAPH: First(x)
# GRAPH: Increment(x)

if len(sys.argv) > 1:
    given = numpy.array([1.0, 2.0])
    print(f(given), given)
# CHECK: [array([2., 3.]), 1.0] [2. 3.]
