"""Types and Ops that say what is done with them, and fail when told to."""

import sys

import clinch
from clinch import Apply, COp, TensorType, Type
from graph_texts import TEXTS

#: Beside this process's modules: what happened, and what is to fail.
sys.clinch_events = []
sys.clinch_failing_site = None

SUPPORT = """
static void clinch_fuzz_event(const char *what, int tag)
{
  PyObject *events = PySys_GetObject("clinch_events");
  PyObject *text = PyUnicode_FromFormat("%s %d", what, tag);
  if (events && text)
    PyList_Append(events, text);
  Py_XDECREF(text);
}

static int clinch_fuzz_fails(int site)
{
  PyObject *wanted = PySys_GetObject("clinch_failing_site");
  if (!wanted || wanted == Py_None || PyLong_AsLong(wanted) != site)
    return 0;
  PyErr_Format(PyExc_ArithmeticError, "site %d", site);
  return 1;
}
"""


class Traced(Type):
    """A float. Its hooks write down that they ran."""

    def __init__(self, tag):
        self.tag = tag

    def __eq__(self, other):
        return type(self) is type(other) and self.tag == other.tag

    def __hash__(self):
        return hash((Traced, self.tag))

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_support_code(self):
        return SUPPORT

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f'{name} = 0; clinch_fuzz_event("init", {self.tag});'

    def c_extract(self, name, sub, check_input=True):
        return f"""
            clinch_fuzz_event("extract", {self.tag});
            if (!PyFloat_Check(py_{name})) {{
                PyErr_SetString(PyExc_TypeError, "no float");
                {sub['fail']}
            }}
            if (clinch_fuzz_fails({self.tag}))
                {sub['fail']}
            {name} = PyFloat_AS_DOUBLE(py_{name});"""

    def c_sync(self, name, sub):
        return f"""
            clinch_fuzz_event("sync", {self.tag});
            Py_XDECREF(py_{name});
            py_{name} = PyFloat_FromDouble({name});
            if (!py_{name}) {{
                py_{name} = Py_None;
                Py_INCREF(py_{name});
            }}"""

    def c_cleanup(self, name, sub):
        return f'clinch_fuzz_event("cleanup", {self.tag});'

    def c_code_cache_version(self):
        return (1,)


class Written(COp):
    """One of the TEXTS, of one input or of the sum of several."""

    __props__ = ("text", "tag")

    def __init__(self, text, tag):
        self.text = text
        self.tag = tag

    @property
    def written(self):
        return TEXTS[self.text]

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [Traced(self.tag + 1)()])

    def c_support_code_apply(self, node, name):
        return self.written.fill(self.written.support, name=f"t{self.tag}",
                                 number=str(self.tag))

    def c_support_code(self):
        return SUPPORT

    def c_support_code_struct(self, node, name):
        return self.written.fill(self.written.struct, name=f"t{self.tag}")

    def c_init_code_struct(self, node, name, sub):
        text = f'clinch_fuzz_event("begin", {self.tag});'
        if self.written.struct:
            text += f" kept_t{self.tag} = 0;"
        return text

    def c_cleanup_code_struct(self, node, name):
        return f'clinch_fuzz_event("end", {self.tag});'

    def c_code(self, node, name, inputs, outputs, sub):
        text = self.written.fill(self.written.code, x=inputs[0], z=outputs[0],
                                 name=f"t{self.tag}", fail=sub["fail"])
        more = "".join(f"\n{outputs[0]} += {x};" for x in inputs[1:])
        return f"""{text}
{more}
clinch_fuzz_event("code", {self.tag});
if (clinch_fuzz_fails({self.tag}))
    {sub['fail']}"""

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return f'clinch_fuzz_event("code cleanup", {self.tag});'

    def c_code_cache_version(self):
        return (1,)


class Plain(COp):
    """A Traced float as one that Ops which come with Clinch take."""

    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [clinch.double()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]};"

    def c_code_cache_version(self):
        return (1,)


VECTOR = TensorType("float64", (None,))
#: A site of OfArrays from its tag on: there it leaves what no VECTOR is.
SPOILT = 50
#: What it leaves, or NULL.
SPOILERS = [
    "left = NULL;",
    "left = PyArray_New(&PyArray_Type, 1, shape, NPY_FLOAT, NULL, NULL, 0, 0, NULL);",
    "left = PyArray_New(&PyArray_Type, 2, shape, NPY_DOUBLE, NULL, NULL, 0, 0, NULL);",
    "left = PyArray_New(&PyArray_Type, 1, shape, NPY_DOUBLE, NULL, (char *)bytes + 1, "
    "8, NPY_ARRAY_WRITEABLE, NULL);",
]


#: Of an input that a call of a function leaves out.
DEFAULT = [1.5, -2.0, 4.0]


class OfArrays(COp):
    """z = 2 * x + 1, item for item: into new memory, or in place; or a view, which
    is x, or all of it but the first item."""

    __props__ = ("way", "tag")

    def __init__(self, way, tag):
        self.way = way
        self.tag = tag
        if way == "in place":
            self.destroy_map = {0: [0]}
        if way in ("view", "rest"):
            self.view_map = {0: [0]}

    def make_node(self, x):
        return Apply(self, [x], [VECTOR()])

    def c_support_code(self):
        return SUPPORT

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,), fail = inputs, outputs, sub["fail"]
        given = f"""
            Py_XDECREF({z});
            {z} = {x};
            Py_INCREF({z});"""
        new = f"""
            npy_intp n = PyArray_DIM({x}, 0);
            if (!{z} || PyArray_DIM({z}, 0) != n) {{
                Py_XDECREF({z});
                {z} = (PyArrayObject *)PyArray_EMPTY(1, &n, NPY_DOUBLE, 0);
                if (!{z})
                    {fail}
            }}"""
        loop = f"""
            for (npy_intp i = 0; i < PyArray_DIM({x}, 0); ++i) {{
                double t = 2 * *(double *)PyArray_GETPTR1({x}, i);
                *(double *)PyArray_GETPTR1({z}, i) = t + 1;
            }}"""
        rest = f"""
            PyObject *rest = PySequence_GetSlice((PyObject *){x}, 1, 1000000);
            if (!rest)
                {fail}
            Py_XDECREF({z});
            {z} = (PyArrayObject *)rest;"""
        text = {"new": new + loop, "in place": given + loop, "view": given,
                "rest": rest}
        return f"""{text[self.way]}
            clinch_fuzz_event("code", {self.tag});
            if (clinch_fuzz_fails({self.tag}))
                {fail}
            if (clinch_fuzz_fails({self.tag + SPOILT})) {{
                static double bytes[4];
                npy_intp shape[2] = {{3, 1}};
                PyObject *left;
                PyErr_Clear();
                {self.spoiler}
                Py_XDECREF({z});
                {z} = (PyArrayObject *)left;
            }}"""

    @property
    def spoiler(self):
        return SPOILERS[self.tag // 100 % len(SPOILERS)]

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return f'clinch_fuzz_event("code cleanup", {self.tag});'

    def c_code_cache_version(self):
        return (1,)

    def value(self, x):
        return {"view": x, "rest": x[1:]}.get(self.way, 2 * x + 1)


#: Ops that come with Clinch: how many inputs, and what they compute; None where
#: only ways are compared.
SHIPPED = {
    "add": (2, lambda a, b: a + b),
    "mul": (2, lambda a, b: a * b),
    "sub": (2, lambda a, b: a - b),
    "true_div": (2, lambda a, b: a / b if b else None),
    "maximum": (2, None),
    "neg": (1, lambda a: -a),
    "sqr": (1, lambda a: a * a),
    "floor_divide": (2, None),
    "mod": (2, None),
    "pow": (2, None),
    "exp": (1, None),
    "log": (1, None),
    "sin": (1, None),
    "tanh": (1, None),
    "gamma": (1, None),
}
#: What tier max computes by its table of vector functions, a single value too:
#: another last bit than the C library's.
VECTOR_FUNCTIONS = {"pow", "exp", "log", "sin", "tanh"}
