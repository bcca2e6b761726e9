"""Each failure's way through the control flow of the IR: the cleanups of its
block and of those before it, in reverse, each once; no sync; then the return.
What each call stands for is given to Inputs/paths.py."""
# RUN: clinch --no-cache --emit=llvm --form=function %s | %python %S/Inputs/paths.py Py_XDECREF=decref PyFloat_FromDouble=sync done=cleanup | FileCheck %s --match-full-lines
# RUN: clinch --no-cache --emit=llvm --form=struct %s | %python %S/Inputs/paths.py Py_XDECREF=decref PyFloat_FromDouble=sync done=cleanup | FileCheck %s --match-full-lines
# RUN: clinch --no-cache --emit=llvm --form=function --language=c++ %s | %python %S/Inputs/paths.py Py_XDECREF=decref PyFloat_FromDouble=sync done=cleanup | FileCheck %s --match-full-lines
# RUN: clinch --no-cache --emit=llvm --form=struct --language=c++ %s | %python %S/Inputs/paths.py Py_XDECREF=decref PyFloat_FromDouble=sync done=cleanup | FileCheck %s --match-full-lines
# RUN: clinch --form=function %s go | FileCheck %s --check-prefix=WAY --match-full-lines
# RUN: clinch --form=struct %s go | FileCheck %s --check-prefix=WAY --match-full-lines
# RUN: clinch --form=function --language=c++ %s go | FileCheck %s --check-prefix=WAY --match-full-lines
import sys


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

# Two inputs, two temporaries, an output, three applies: blocks 1 to 8. Nobody
# names the Python objects of temporaries, so these have none to release.
# CHECK:      {{.*}}: fail 1: label 1 decref ret
# The cell of `y` may be no list of one any more; then block 2 is not opened.
# CHECK-NEXT: {{.*}}: fail 2: label 1 decref ret
# CHECK-NEXT: {{.*}}: fail 2: label 2 decref label 1 decref ret
# CHECK-NEXT: {{.*}}: fail 6: label 6 cleanup label 5 decref label 4 label 3 label 2 decref label 1 decref ret
# CHECK-NEXT: {{.*}}: fail 7: label 7 cleanup label 6 cleanup label 5 decref label 4 label 3 label 2 decref label 1 decref ret
# CHECK-NEXT: {{.*}}: fail 8: label 8 cleanup label 7 cleanup label 6 cleanup label 5 decref label 4 label 3 label 2 decref label 1 decref ret
# A sync that leaves no object fails too.
# CHECK-NEXT: {{.*}}: fail 5: decref label 4 label 3 label 2 decref label 1 decref ret
# CHECK-NOT: {{.*}}fail{{.*}}

if len(sys.argv) > 1:
    for value in (0.0, 1.0, 2.0, 3.0):
        try:
            result = f(10.0, value)
        except ValueError as error:
            result = f"failed at {error}"
        print(result)
# WAY:      clean 3
# WAY-NEXT: clean 2
# WAY-NEXT: clean 1
# WAY-NEXT: 10.0
# WAY-NEXT: clean 1
# WAY-NEXT: failed at 1.0
# WAY-NEXT: clean 2
# WAY-NEXT: clean 1
# WAY-NEXT: failed at 2.0
# WAY-NEXT: clean 3
# WAY-NEXT: clean 2
# WAY-NEXT: clean 1
# WAY-NEXT: failed at 3.0
