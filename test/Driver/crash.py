"""A block that crashes: its line and the lines of Python that called it are shown."""
# RUN: not --crash clinch %s 2>&1 | FileCheck %s
class Crash(Op):
    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = *(volatile double *)8 + {inputs[0]};"


x = double("x")
f = function([x], Crash()(x))
f(1.0)

# CHECK: clinch: segmentation fault in `Crash.c_code` for `node_3`, line 1
# CHECK-NEXT: Fatal Python error: Segmentation fault
# CHECK: File "{{.*}}crash.py", line 13 in <module>
