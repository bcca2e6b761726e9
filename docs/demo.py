"""A short tour: an expression, a Type and an Op of one's own, an error."""

import time

import clinch
from clinch import COp, Type, Apply, double, function

print("Clinch compiles a graph into one function, in this process.\n")

clinch.config.cache = False  # The figures below are those of compiling.


def timed(build):
    """A function and the milliseconds from its graph to its first answer."""
    start = time.perf_counter()
    made = build()
    made(1.0, 2.0, 3.0)
    return made, (time.perf_counter() - start) * 1e3


x, y, z = double("x"), double("y"), double("z")
f, first = timed(lambda: function([x, y, z], (x + y) * z))
_, second = timed(lambda: function([x, y, z], (x - y) * z))
_, again = timed(lambda: function([x, y, z], (x + y) * z))
print("  f = function([x, y, z], (x + y) * z)")
print(f"  f(1.0, 2.0, 3.0) = {f(1.0, 2.0, 3.0)}")
print(f"  graph to first answer, LLVM loaded for it: {first:8.2f} ms")
print(f"  another one, compiled:                     {second:8.2f} ms")
print(f"  the first one again, code shared:          {again:8.2f} ms")

runs = 1_000_000
f.thunk.cells[0][0], f.thunk.cells[1][0], f.thunk.cells[2][0] = 1.0, 2.0, 3.0
print(f"  one run of its code:                       "
      f"{f.thunk.time(runs) / runs * 1e9:8.2f} ns\n")


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
