"""The seeds' VectorTimesScalar by hooks: strided input, recycled output, a
failing shape of another kind, the loop in the text."""
# RUN: clinch --emit=c %s | FileCheck %s --check-prefix=C
# RUN: %every-way %s run | FileCheck %s
import sys

import numpy


class VectorTimesScalar(COp):
    __props__ = ()

    def make_node(self, x, y):
        if x.type.ndim != 1:
            raise TypeError("x must be a vector")
        if y.type.ndim != 0:
            raise TypeError("y must be a scalar")
        return Apply(self, [x, y], [x.type()])

    def c_code_cache_version(self):
        return (1, 0)

    def c_code(self, node, name, inp, out, sub):
        x, y = inp
        z, = out
        dtype_x, dtype_y = node.inputs[0].dtype, node.inputs[1].dtype
        dtype_z = node.outputs[0].dtype
        fail = sub["fail"]
        return f"""
        if (!{z} || PyArray_DIMS({x})[0] != PyArray_DIMS({z})[0]) {{
            Py_XDECREF({z});
            {z} = (PyArrayObject *)PyArray_EMPTY(1, PyArray_DIMS({x}),
                                                 PyArray_TYPE({x}), 0);
            if (!{z}) {{
                {fail}
            }}
        }}
        {{
            npy_{dtype_y} y_{name} = ((npy_{dtype_y} *)PyArray_DATA({y}))[0];
            for (npy_intp i = 0; i < PyArray_DIMS({x})[0]; i++)
                *(npy_{dtype_z} *)PyArray_GETPTR1({z}, i) =
                    *(npy_{dtype_x} *)PyArray_GETPTR1({x}, i) * y_{name};
        }}
        """


x = TensorType("float64", (None,))("x")
y = TensorType("float64", ())("y")
op = VectorTimesScalar()
f = function([x, y], op(x, y))

# C: #include <numpy/arrayobject.h>
# C: PyArrayObject *V1;
# C: { // Block 4: `VectorTimesScalar` as `node_4`, its code.
# C: label_4:
# C: label_3:
# C: if (!failure)
# C: import_array

if "run" in sys.argv:
    base = numpy.arange(6.0)
    print(f(base, numpy.array(2.0)), f(base[::-2], numpy.array(0.5)))
    for wrong in ((numpy.zeros((2, 2)), numpy.array(1.0)),
                  (base, "two"), (base,)):
        try:
            f(*wrong)
        except (TypeError, ValueError) as error:
            print(type(error).__name__, str(error).splitlines()[0])
    try:
        op(y, y)
    except TypeError as error:
        print("TypeError", error)
# CHECK:      [ 0.  2.  4.  6.  8. 10.] [2.5 1.5 0.5]
# CHECK-NEXT: TypeError expected 1 dimensions for TensorType(float64, (None,)), and found 2
# CHECK-NEXT: TypeError expected TensorType(float64, ()), not a str
# CHECK-NEXT: TypeError function() takes 2 arguments (x, y), and 1 was given
# CHECK-NEXT: TypeError x must be a vector
