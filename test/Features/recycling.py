"""Struct form: an output's array is used again when nobody else holds it, and
never when somebody does; the bare thunk keeps it always."""
# RUN: clinch --form=struct %s | FileCheck %s


class Fill(Op):
    """An array of `n` times x, in the storage there is, if it is right."""
    __props__ = ("n",)

    def __init__(self, n):
        self.n = n

    def make_node(self, x):
        return Apply(self, [x], [TensorType("float64", (None,))()])

    def c_headers(self):
        return ["<stdio.h>"]

    def c_code(self, node, name, inputs, outputs, sub):
        x, = inputs
        z, = outputs
        return f"""
            npy_intp shape_{name} = {self.n};
            printf(!{z} ? "new\\n" : "again\\n");
            if (!{z}) {{
                {z} = (PyArrayObject *)PyArray_EMPTY(1, &shape_{name},
                                                     NPY_FLOAT64, 0);
                if (!{z}) {{
                    {sub['fail']}
                }}
            }}
            for (npy_intp i_{name} = 0; i_{name} < {self.n}; i_{name}++)
                ((double *)PyArray_DATA({z}))[i_{name}] = {x};
        """


x = double("x")
f = function([x], Fill(3)(x))
kept = f(1.0)
other = f(2.0)
print(kept, other)
del other
print(f(3.0))
print(kept)

# CHECK:      new
# CHECK-NEXT: new
# CHECK-NEXT: [1. 1. 1.] [2. 2. 2.]
# CHECK-NEXT: again
# CHECK-NEXT: [3. 3. 3.]
# CHECK-NEXT: [1. 1. 1.]
