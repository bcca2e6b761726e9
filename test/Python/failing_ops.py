"""Ops that fail as they are told, and what is said of it."""

from clinch import Apply, COp, double, generic


class Call(COp):
    """Calls its argument; the result is the output."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [generic()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        Py_XDECREF({outputs[0]});
        {outputs[0]} = PyObject_CallNoArgs({inputs[0]});
        if (!{outputs[0]})
            {sub['fail']}
        """


class Text(COp):
    """C text on doubles, as it is given."""

    __props__ = ("text",)

    def __init__(self, text, language=None):
        self.text = text
        self.language = language

    def c_compiler(self):
        return self.language

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        names = dict(zip("xyz", inputs))
        return self.text.format(out=outputs[0], fail=sub["fail"], **names)


def notes(error):
    return "\n".join(error.value.__notes__)
