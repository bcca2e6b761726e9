"""Many blocks become several functions; what is computed, and which cleanups
run in which order when one fails, stays the same."""
# RUN: clinch --emit=c --form=function --function=f %s | FileCheck %s --check-prefix=C
# RUN: %every-way %s | FileCheck %s


class Step(Op):
    """x + 1; fails at a number that is asked for; notes its cleanup."""
    __props__ = ("number",)

    def __init__(self, number):
        self.number = number

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_support_code(self):
        return "static int fail_at = -1; static int cleaned, disorder;"

    def c_code(self, node, name, inputs, outputs, sub):
        n = self.number
        return f"""
            if ({n} == 0) {{ cleaned = 0; disorder = 0; fail_at = -1; }}
            if ({n} == 0 && {inputs[0]} < 0)
                fail_at = (int)-{inputs[0]};
            if ({n} == fail_at) {{
                PyErr_Format(PyExc_ValueError, "step %d", {n});
                {sub['fail']}
            }}
            {outputs[0]} = {inputs[0]} + 1;
        """

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        # The last that began is cleaned up first, each once.
        n = self.number
        return f"""
            if (cleaned == 0) cleaned = {n} + 2;
            disorder |= cleaned != {n} + 2;
            cleaned--;
            if ({n} == 0 && (disorder || cleaned != 1))
                PyErr_SetString(PyExc_AssertionError, "cleanups in disorder");
        """


x = double("x")
y = x
for number in range(400):
    y = Step(number)(y)
f = function([x], y)

print(f(0.0))
for fail_at in (1, 99, 100, 101, 199, 200, 399):
    try:
        f(-float(fail_at))
    except ValueError as error:
        print("ValueError:", error)
print(f(1.0))

# C-COUNT-3: struct clinch_state
# CHECK:      400.0
# CHECK-NEXT: ValueError: step 1{{$}}
# CHECK-NEXT: ValueError: step 99
# CHECK-NEXT: ValueError: step 100
# CHECK-NEXT: ValueError: step 101
# CHECK-NEXT: ValueError: step 199
# CHECK-NEXT: ValueError: step 200
# CHECK-NEXT: ValueError: step 399
# CHECK-NEXT: 401.0
