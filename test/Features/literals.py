"""A constant of a Type with c_literal stands in the text; one without has a
block; in struct form that block is extracted once."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s --check-prefix=C
# RUN: clinch --form=function %s | FileCheck %s --check-prefix=EACH
# RUN: clinch --form=struct %s | FileCheck %s --check-prefix=ONCE


class Boxed(Double):
    """Doubles that cannot be written as text, and say when they are read."""

    def c_literal(self, data, *_):
        return ""

    def c_headers(self):
        return ["<stdio.h>"]

    def c_extract(self, name, sub, check_input=True):
        return (super().c_extract(name, sub, check_input)
                + f'printf("extract %g\\n", {name});')


class Twice(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = 2 * {inputs[0]};"


x = double("x")
boxed = Boxed()
f = function([x], add(add(x, double.make_constant(2.5)),
                      Twice()(boxed.make_constant(7.0))))
print(f(1.0))
print(f(2.0))

# C: { // Block {{[0-9]+}}: {{.*}}a constant.
# C: 2.5
# EACH:      extract 7
# EACH-NEXT: 17.5
# EACH-NEXT: extract 7
# EACH-NEXT: 18.5
# ONCE:      extract 7
# ONCE-NEXT: 17.5
# ONCE-NEXT: 18.5
