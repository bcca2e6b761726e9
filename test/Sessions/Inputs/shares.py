"""A Type and an Op of one's own, as written in the session."""

from clinch import Apply, Op, Type


class Percent(Type):
    """A number between 0 and 100."""

    def filter(self, value, strict=False, allow_downcast=None):
        value = float(value)
        if not 0 <= value <= 100:
            raise ValueError(f"{value} is no percentage")
        return value

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"""
            {name} = PyFloat_AsDouble(py_{name});
            if (PyErr_Occurred()) {{
                {sub['fail']}
            }}
        """

    def c_sync(self, name, sub):
        return f"""
            Py_XDECREF(py_{name});
            py_{name} = PyFloat_FromDouble({name});
            if (!py_{name}) {{
                Py_INCREF(Py_None);
                py_{name} = Py_None;
            }}
        """


percent = Percent()


class Share(Op):
    """Which percentage of a whole a part is."""
    __props__ = ()

    def make_node(self, part, whole):
        return Apply(self, [part, whole], [percent()])

    def c_code(self, node, name, inputs, outputs, sub):
        part, whole = inputs
        share, = outputs
        return f"""
            if ({whole} == 0) {{
                PyErr_SetString(PyExc_ZeroDivisionError, "the whole is 0");
                {sub['fail']}
            }}
            {share} = 100 * {part} / {whole};
        """
