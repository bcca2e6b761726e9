"""--lines: the C line that each part of asm and llvm-opt comes from."""
# RUN: clinch --emit=asm --lines %s | FileCheck %s --check-prefix=ASM
# RUN: clinch --emit=llvm-opt --lines %s | FileCheck %s --check-prefix=LLVM
# RUN: clinch --emit=asm %s | FileCheck %s --check-prefix=BARE


class Poly(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return (f"{outputs[0]} = {inputs[0]} * 3;\n"
                f"{outputs[0]} = {outputs[0]} + 5;")


x = double("x")
f = function([x], Poly()(x))

# ASM:      # `Poly.c_code` for `node_3`:1: V2 = V1 * 3;
# ASM-NEXT: mulsd
# ASM:      # `Poly.c_code` for `node_3`:2: V2 = V2 + 5;
# ASM-NEXT: addsd
# ASM-NOT:  .debug_info

# LLVM:      ; `Poly.c_code` for `node_3`:1: V2 = V1 * 3;
# LLVM-NEXT: fmul double
# LLVM-NEXT: ; `Poly.c_code` for `node_3`:2: V2 = V2 + 5;
# LLVM-NEXT: fadd double
# LLVM-NOT:  !DILocation

# BARE-NOT: # `Poly
# BARE:     mulsd
