"""A Type says how Python values become C data: here pairs become two doubles."""

from clinch import Apply, COp, Type, double, function


class Interval(Type):
    __props__ = ()

    def filter(self, value, strict=False, allow_downcast=None):
        low, high = value
        return (float(low), float(high))

    def c_declare(self, name, sub, check_input=True):
        return f"double {name}_low, {name}_high;"

    def c_init(self, name, sub):
        return f"{name}_low = {name}_high = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"""
        if (!PyArg_ParseTuple(py_{name}, "dd", &{name}_low, &{name}_high)) {{
          {sub["fail"]}
        }}"""

    def c_sync(self, name, sub):
        return f"""
        Py_XDECREF(py_{name});
        py_{name} = Py_BuildValue("dd", {name}_low, {name}_high);"""

    def c_cleanup(self, name, sub):
        return ""

    def __eq__(self, other):
        return type(other) is Interval

    def __hash__(self):
        return hash(Interval)


class Width(COp):
    __props__ = ()

    def make_node(self, interval):
        return Apply(self, [interval], [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]}_high - {inputs[0]}_low;"


x = Interval()("x")
print(function([x], Width()(x))((1, 3.5)))  # prints: 2.5
