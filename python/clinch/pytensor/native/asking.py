"""Lets our C call a Python function if something goes wrong."""

_FIND = """
  ask_{name} = nullptr;
  {{
    PyObject *module = PyImport_ImportModule("{module}");
    ask_{name} = module ? PyObject_GetAttrString(module, "{function}") : nullptr;
    Py_XDECREF(module);
  }}
  if (!ask_{name})
    {fail}
"""


class Asking:
    """A base of Ops that call `ask_NAME`; it must come before `NativeOp`."""

    #: The module of the Python function, and its name there.
    asked = "", ""

    def c_support_code_struct(self, node, name):
        return f"PyObject *ask_{name};\n{super().c_support_code_struct(node, name)}"

    def c_init_code_struct(self, node, name, sub):
        module, function = self.asked
        find = _FIND.format(
            name=name, module=module, function=function, fail=sub["fail"]
        )
        return find + super().c_init_code_struct(node, name, sub)

    def c_cleanup_code_struct(self, node, name):
        return f"Py_XDECREF(ask_{name});"
