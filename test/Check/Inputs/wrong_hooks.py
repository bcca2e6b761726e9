"""Ops with one slip each."""

from clinch import Apply, Op, Type, double


class OneDouble(Op):
    __props__ = ()

    def make_node(self, x):
        if x.type != double:
            raise TypeError("a double is needed")
        return Apply(self, [x], [double()])


class Returns(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        if ({inputs[0]} < 0) {{
          PyErr_SetString(PyExc_ValueError, "negative");
          return;
        }}
        {outputs[0]} = {inputs[0]};
        """


class Forgets(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        if ({inputs[0]} < 0) {{
          PyErr_SetString(PyExc_ValueError, "negative");
        }}
        {outputs[0]} = {inputs[0]};
        """


class Leaks(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        PyObject *box = PyFloat_FromDouble({inputs[0]});
        if (!box) {sub["fail"]}
        PyObject *list = PyList_New(0);
        if (list == NULL) {sub["fail"]}
        if (PyList_Append(list, box) < 0) {{
          Py_DECREF(box);
          Py_DECREF(list);
          {sub["fail"]}
        }}
        {outputs[0]} = PyFloat_AS_DOUBLE(box);
        Py_DECREF(box);
        Py_DECREF(list);
        """


class CallsAndLeaks(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        PyObject *pair = Py_BuildValue("(dd)", {inputs[0]}, 1.0);
        if (!pair) {sub["fail"]}
        PyObject *count = PyObject_CallMethod(pair, "count", "d", 1.0);
        if (!count) {{
          Py_DECREF(pair);
          {sub["fail"]}
        }}
        if ({inputs[0]} < 0) {{
          PyErr_SetString(PyExc_ValueError, "negative");
          {sub["fail"]}
        }}
        {outputs[0]} = PyLong_AsLong(count);
        Py_DECREF(count);
        Py_DECREF(pair);
        """


class CallsAndHopes(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        PyObject *pair = Py_BuildValue("(dd)", {inputs[0]}, 1.0);
        {outputs[0]} = PyFloat_AS_DOUBLE(pair);
        Py_DECREF(pair);
        """


class Hopes(OneDouble):
    def c_code(self, node, name, inputs, outputs, sub):
        return f"""
        PyObject *list = PyList_New(1);
        PyList_SET_ITEM(list, 0, PyFloat_FromDouble({inputs[0]}));
        PyList_Append(list, Py_None);
        {outputs[0]} = {inputs[0]};
        Py_DECREF(list);
        """


class Temperature(Type):
    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return f"double {name} = 0;"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"""
        {name} = PyFloat_AsDouble(py_{name});
        if (PyErr_Occurred()) {sub["fail"]}
        """

    def c_sync(self, name, sub):
        return f"py_{name} = PyFloat_FromDouble({name});"
