"""`c_validate_update` has a block of its own around the code's: the code sees what it
declares, and its cleanup runs last. `c_var_names` gives variables names of one's own."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s --check-prefix=C
# RUN: %every-way %s | FileCheck %s


class AddNonNegative(Op):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_headers(self):
        return ["<stdio.h>"]

    def c_var_names(self):
        return [["x", "y"], ["z"]]

    def c_validate_update(self, node, name, inputs, outputs, sub):
        return """
            if (%(x)s < 0 || %(y)s < 0) {
                PyErr_SetString(PyExc_ValueError, "a number is negative");
                %(fail)s
            }
            double limit = 100;
        """ % sub

    def c_validate_update_cleanup(self, node, name, inputs, outputs, sub):
        return 'printf("validation cleaned up\\n");'

    def c_code(self, node, name, inputs, outputs, sub):
        # What the validation declares is in sight.
        return "%(z)s = %(x)s + %(y)s < limit ? %(x)s + %(y)s : limit;" % sub

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return 'printf("code cleaned up\\n");'


x, y = double("x"), double("y")
f = function([x, y], AddNonNegative()(x, y))
print(f(1.0, 2.0))
print(f(99.0, 2.0))
try:
    f(1.0, -2.0)
except ValueError as error:
    print("ValueError:", error)

# Three blocks for variables, then the validation's, then the code's in it.
# C: { // Block 4: {{.*}}validat
# C: {failure = 4; goto label_4;}
# C: { // Block 5: {{.*}}
# C: V3 = V1 + V2 < limit
# C: label_5:
# C: code cleaned up
# C: label_4:
# C: validation cleaned up
# C: label_3:
# C: if (!failure)

# CHECK:      code cleaned up
# CHECK-NEXT: validation cleaned up
# CHECK-NEXT: 3.0
# CHECK-NEXT: code cleaned up
# CHECK-NEXT: validation cleaned up
# CHECK-NEXT: 100.0
# CHECK-NEXT: validation cleaned up
# CHECK-NEXT: ValueError: a number is negative
