"""--emit=c shows the text of what does not compile; the status is 1 and the
message stands on standard error."""
# RUN: not clinch --emit=c %s 2>%t.err | FileCheck %s --check-prefix=C
# RUN: FileCheck %s --check-prefix=ERR < %t.err
# RUN: not clinch --emit=labels %s 2>/dev/null | count 0


class Wrong(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} +;"


x = double("x")
f = function([x], Wrong()(x))

# C: #line 1 "`Wrong.c_code` for `node_3`"
# C-NEXT: V2 = V1 +;
# ERR: clinch.CompileError: The text does not compile: 1 error.
# ERR-NEXT: `Wrong.c_code` for `node_3`:1:{{[0-9]+}}: error: expected expression
# ERR-NEXT:   V2 = V1 +;
# ERR-NEXT: {{ +\^}}
