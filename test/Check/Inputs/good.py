"""An Op and a Type without a fault."""

from clinch import Apply, Op, double


class Root(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [double()])

    def c_headers(self):
        return ["<math.h>"]

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        if ({inputs[0]} < 0) {{
          PyErr_SetString(PyExc_ValueError, "negative");
          {sub["fail"]}
        }}
        {outputs[0]} = sqrt({inputs[0]});
        """


def check_samples():
    return [Root()(double("x"))]
