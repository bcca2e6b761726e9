"""linker="op": a thunk for each apply, values pass through Python in between;
an Op without C runs its perform there, and between thunks by default; who asks
for one thunk is refused it."""
# RUN: clinch --linker=op %s | FileCheck %s
# RUN: clinch %s | FileCheck %s


from clinch import HookError, Mode


class Python(Op):
    """x + 100, in Python only."""
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        print("perform", inputs)
        outputs[0][0] = inputs[0] + 100.0


class Native(Op):
    """2 * x, in C only; notes how it was given its input."""
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_headers(self):
        return ["<stdio.h>"]

    def c_code(self, node, name, inputs, outputs, sub):
        return (f'printf("native %g\\n", {inputs[0]});'
                f"{outputs[0]} = 2 * {inputs[0]};")


x = double("x")
f = function([x], Native()(Python()(Native()(x))))
print(f(1.0))
try:
    function([x], Python()(x), mode=Mode(linker="graph"))
except HookError as error:
    print("refused:", error)

# CHECK:      native 1
# CHECK-NEXT: perform {{.*}}2.0
# CHECK-NEXT: native 102
# CHECK-NEXT: 204.0

# CHECK-NEXT: refused: `Python` has no C code, only `perform`; use linker="op"
