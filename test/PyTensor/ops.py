"""Ops written for the tests: one number in, one number out, C as given."""

import pytensor.tensor as pt
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.link.c.op import COp
from pytensor.link.c.params_type import ParamsType
from pytensor.link.c.type import EnumList
from pytensor.scalar import float64


class CText(COp):
    """A 0-d array of doubles to a 0-d array of doubles, by the C text given.

    The text reads `x` and sets `z`, both doubles.
    """

    __props__ = ("code", "cleanup", "struct_init", "support")

    def __init__(self, code="z = x + 1;", cleanup="", struct_init="", support=""):
        self.code = code
        self.cleanup = cleanup
        self.struct_init = struct_init
        self.support = support

    def make_node(self, x):
        x = pt.as_tensor_variable(x)
        return Apply(self, [x], [pt.dscalar()])

    def perform(self, node, inputs, outputs):
        raise AssertionError("perform must not run")

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,) = inputs, outputs
        code = self.code.replace("FAIL", sub["fail"])
        return f"""
        if (!{z}) {z} = (PyArrayObject*)PyArray_ZEROS(0, NULL, NPY_FLOAT64, 0);
        if (!{z}) {sub["fail"]}
        {{
          double x = *(double*)PyArray_DATA({x});
          double &z = *(double*)PyArray_DATA({z});
          (void)x; (void)z;
{code}
        }}
        """

    def c_code_cleanup(self, node, name, inputs, outputs, sub):
        return self.cleanup.replace("FAIL", sub["fail"]) if self.cleanup else ""

    def c_init_code_struct(self, node, name, sub):
        return self.struct_init.replace("FAIL", sub["fail"])

    def c_support_code(self, **kwargs):
        return self.support

    def c_code_cache_version(self):
        return (1,)


class Scaled(COp):
    """x * factor, or x - factor: with params."""

    __props__ = ("factor", "how")
    params_type = ParamsType(factor=float64, how=EnumList("TIMES", "MINUS"))

    def __init__(self, factor, how):
        self.factor = factor
        self.how = how

    def make_node(self, x):
        x = pt.as_tensor_variable(x)
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        raise AssertionError("perform must not run")

    def c_code(self, node, name, inputs, outputs, sub):
        (x,), (z,), p = inputs, outputs, sub["params"]
        return f"""
        Py_XDECREF({z});
        {z} = (PyArrayObject*)PyArray_NewCopy({x}, NPY_CORDER);
        if (!{z}) {sub["fail"]}
        {{
          double *data = (double*)PyArray_DATA({z});
          for (npy_intp i = 0; i < PyArray_SIZE({z}); ++i)
            data[i] = {p}->how == TIMES ? data[i] * {p}->factor
                                        : data[i] - {p}->factor;
        }}
        """

    def c_code_cache_version(self):
        return (1, self.params_type.c_code_cache_version())


class OnlyPython(Op):
    """x + 10, in Python."""

    __props__ = ()

    def make_node(self, x):
        x = pt.as_tensor_variable(x)
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] + 10
