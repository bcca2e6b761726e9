"""A short tour: an expression, a Type and an Op of one's own, an error."""

import time

import clinch
from clinch import COp, Type, Apply, double, function

print("Clinch compiles a graph into one function, in this process.\n")

x, y, z = double("x"), double("y"), double("z")
start = time.perf_counter()
f = function([x, y, z], (x + y) * z)
answer = f(1.0, 2.0, 3.0)
elapsed = (time.perf_counter() - start) * 1e3
print(f"  f = function([x, y, z], (x + y) * z)\n  f(1.0, 2.0, 3.0) = {answer}")
print(f"  from graph to first answer: {elapsed:.1f} ms, the compiler's own "
      f"start included")

start = time.perf_counter()
g = function([x, y, z], (x - y) * z)
g(1.0, 2.0, 3.0)
elapsed = (time.perf_counter() - start) * 1e3
print(f"  another one: {elapsed:.1f} ms")

runs = 1_000_000
f.thunk.cells[0][0], f.thunk.cells[1][0], f.thunk.cells[2][0] = 1.0, 2.0, 3.0
print(f"  one run of its code: {f.thunk.time(runs) / runs * 1e9:.0f} ns\n")


class Celsius(Type):
    """A temperature: a Python float, and never below absolute zero."""

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0.0;"

    def c_extract(self, name, sub, check_input=True):
        return f"""
        {name} = PyFloat_AsDouble(py_{name});
        if (PyErr_Occurred()) {{
            {sub['fail']}
        }}
        if ({name} < -273.15) {{
            PyErr_SetString(PyExc_ValueError, "below absolute zero");
            {sub['fail']}
        }}
        """

    def c_sync(self, name, sub):
        return f"""
        Py_XDECREF(py_{name});
        py_{name} = PyFloat_FromDouble({name});
        """


class Warmer(COp):
    """The warmer of two temperatures."""

    __props__ = ()

    def make_node(self, a, b):
        return Apply(self, [a, b], [a.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        a, b = inputs
        (out,) = outputs
        return f"{out} = {a} > {b} ? {a} : {b};"


celsius = Celsius()
a, b = celsius("a"), celsius("b")
warmer = function([a, b], Warmer()(a, b))
print("A Type and an Op of our own, 40 lines of Python and C:")
print(f"  warmer(21.5, 19.0) = {warmer(21.5, 19.0)}")
try:
    warmer(21.5, -300.0)
except ValueError as error:
    print(f"  warmer(21.5, -300.0) raises ValueError: {error}")
    for note in error.__notes__:
        print("    " + note.replace("\n", "\n    "))


class Slip(Warmer):
    """An Op with a mistake in its C code."""

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} +;"


print("\nA mistake in an Op is shown where its author made it:")
try:
    function([a, b], Slip()(a, b))
except clinch.CompileError as error:
    print("  " + str(error).replace("\n", "\n  "))
