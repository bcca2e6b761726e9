"""The loop that an author writes over an array is made of vectors."""
# RUN: clinch --tier=max --emit=llvm-opt --no-cache %s | FileCheck %s


class Tripled(COp):
    """3 * x of a contiguous array, in place."""
    __props__ = ()
    destroy_map = {0: [0]}

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_compile_args(self):
        # Whatever runs the test: with AVX2 alone LLVM leaves this loop scalar.
        return ["-march=znver4"]

    def c_code(self, node, name, inputs, outputs, sub):
        x, z = inputs[0], outputs[0]
        return f"""
            double *items = PyArray_DATA({x});
            npy_intp count = PyArray_SIZE({x});
            for (npy_intp i = 0; i < count; i++)
                items[i] *= 3;
            Py_XDECREF({z});
            {z} = {x};
            Py_INCREF({z});
        """


x = vector("x")
f = function([In(x, mutable=True)], Tripled()(x))

# CHECK: fmul <{{[248]}} x double>
