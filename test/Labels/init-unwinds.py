"""Struct form: constants are read once, when the function is made. One that
cannot be read unwinds those before it and nothing else."""
# RUN: clinch --form=struct %s | FileCheck %s
# RUN: clinch --form=struct --language=c++ %s | FileCheck %s


class Noted(Double):
    """Says when it is read and cleaned up; 13 cannot be read."""

    def c_literal(self, data, *_):
        return ""

    def c_headers(self):
        return ["<stdio.h>"]

    def c_extract(self, name, sub, check_input=True):
        return f"""
            {name} = PyFloat_AsDouble(py_{name});
            printf("read %g\\n", {name});
            if ({name} == 13) {{
                PyErr_SetString(PyExc_ValueError, "13 is not read");
                {sub['fail']}
            }}
        """

    def c_cleanup(self, name, sub):
        return f'printf("clean %g\\n", {name});'


class Sum(Op):
    __props__ = ()

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {' + '.join(inputs)};"


def make(*values):
    x = double("x")
    noted = Noted()
    return function([x], Sum()(x, *map(noted.make_constant, values)))


f = make(1.0, 2.0)
print(f(10.0), f(20.0))
del f
print("dropped")
try:
    make(1.0, 13.0, 3.0)
except ValueError as error:
    print(error)
    print(error.__notes__[0].splitlines()[0])

# CHECK:      read 1
# CHECK-NEXT: read 2
# CHECK-NEXT: 13.0 23.0
# CHECK-NEXT: clean 2
# CHECK-NEXT: clean 1
# CHECK-NEXT: dropped
# CHECK-NEXT: read 1
# CHECK-NEXT: read 13
# CHECK-NEXT: clean 13
# CHECK-NEXT: clean 1
# CHECK-NEXT: 13 is not read
# CHECK-NEXT: Clinch: {{.*}}`Noted.c_extract`{{.*}} failed.
