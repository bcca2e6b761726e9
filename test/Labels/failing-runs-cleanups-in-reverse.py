"""A failure runs the cleanup of its own block and of those before it, in reverse; those
that were not begun are not cleaned up."""
# RUN: %every-way %s | FileCheck %s --match-full-lines


class Checked(Op):
    """x + y, where y may not be the number that is asked for."""
    __props__ = ("bad",)

    def __init__(self, bad):
        self.bad = bad

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_headers(self):
        return ["<stdio.h>"]

    def c_support_code(self):
        return "static void done(double bad) { printf(\"clean %g\\n\", bad); }"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
            if ({inputs[1]} == {self.bad}) {{
                PyErr_SetString(PyExc_ValueError, "{self.bad}");
                {sub['fail']}
            }}
            {outputs[0]} = {inputs[0]} + {inputs[1]};
        """

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return f"done({self.bad});"


x, y = double("x"), double("y")
f = function([x, y], Checked(3.0)(Checked(2.0)(Checked(1.0)(x, y), y), y))

for value in (0.0, 1.0, 2.0, 3.0):
    try:
        result = f(10.0, value)
    except ValueError as error:
        result = f"failed at {error}"
    print(result)
# CHECK:      clean 3
# CHECK-NEXT: clean 2
# CHECK-NEXT: clean 1
# CHECK-NEXT: 10.0
# CHECK-NEXT: clean 1
# CHECK-NEXT: failed at 1.0
# CHECK-NEXT: clean 2
# CHECK-NEXT: clean 1
# CHECK-NEXT: failed at 2.0
# CHECK-NEXT: clean 3
# CHECK-NEXT: clean 2
# CHECK-NEXT: clean 1
# CHECK-NEXT: failed at 3.0
