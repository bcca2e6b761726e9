"""Each failure's way through the control flow of the IR: the cleanups of its
block and of those before it, in reverse, each once; no sync; then the return.
What each call stands for is given to Inputs/paths.py."""
# RUN: %every-way --through=%S/Inputs/paths.py,Py_XDECREF=decref,PyFloat_FromDouble=sync,done=cleanup --no-cache --emit=llvm %s | FileCheck %s --match-full-lines


class Checked(Op):
    """x + y, where y may not be negative."""
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_support_code(self):
        return "static void done(void) {}"

    def c_code(self, node, name, inputs, outputs, sub):
        x, y = inputs
        return f"if ({y} < 0) {sub['fail']}\n{outputs[0]} = {x} + {y};"

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return "done();"


x, y = double("x"), double("y")
f = function([x, y], Checked()(Checked()(x, y), y))

# Two inputs, a temporary, an output, two applies: blocks 1 to 6. Nobody names the
# Python object of the temporary, so it has none to release.
# CHECK:      fail 1: label 1 decref ret
# The cell of `y` may be no list of one any more; then block 2 is not opened.
# CHECK-NEXT: fail 2: label 1 decref ret
# CHECK-NEXT: fail 2: label 2 decref label 1 decref ret
# CHECK-NEXT: fail 5: label 5 cleanup label 4 decref label 3 label 2 decref label 1 decref ret
# CHECK-NEXT: fail 6: label 6 cleanup label 5 cleanup label 4 decref label 3 label 2 decref label 1 decref ret
# A sync that leaves no object fails too.
# CHECK-NEXT: fail 4: decref label 3 label 2 decref label 1 decref ret
# CHECK-NOT: fail{{.*}}
