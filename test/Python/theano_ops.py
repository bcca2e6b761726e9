"""Types and Ops written the way the seed documents write theirs: the same
hooks, signatures and idioms. Several suites run them."""

import numpy

import clinch as pytensor
from clinch import Apply, COp, ExternalCOp, Type


class Double(Type):
    """A float with the C hooks spelled as templates filled by `%`."""

    def filter(self, x, strict=False, allow_downcast=None):
        if strict and not isinstance(x, float):
            raise TypeError("Expected a float!")
        return float(x)

    def values_eq_approx(self, x, y, tolerance=1e-4):
        return abs(x - y) <= tolerance * (abs(x) + abs(y))

    def __str__(self):
        return "double"

    def c_declare(self, name, sub):
        return """
        double %(name)s;
        """ % dict(name=name)

    def c_init(self, name, sub):
        return """
        %(name)s = 0.0;
        """ % dict(name=name)

    def c_extract(self, name, sub):
        return """
        if (!PyFloat_Check(py_%(name)s)) {
            PyErr_SetString(PyExc_TypeError, "expected a float");
            %(fail)s
        }
        %(name)s = PyFloat_AsDouble(py_%(name)s);
        """ % dict(sub, name=name)

    def c_sync(self, name, sub):
        return """
        Py_XDECREF(py_%(name)s);
        py_%(name)s = PyFloat_FromDouble(%(name)s);
        if (!py_%(name)s) {
            printf("no float for %%f\\n", %(name)s);
            Py_XINCREF(Py_None);
            py_%(name)s = Py_None;
        }
        """ % dict(name=name)

    def c_cleanup(self, name, sub):
        return ""


class VectorTimesScalar(COp):
    __props__ = ()

    def make_node(self, x, y):
        if x.type.ndim != 1:
            raise TypeError("x must be a 1-d vector")
        if y.type.ndim != 0:
            raise TypeError("y must be a scalar")
        output_var = x.type()
        return Apply(self, [x, y], [output_var])

    def c_code_cache_version(self):
        return (1, 0)

    def c_code(self, node, name, inp, out, sub):
        x, y = inp
        z, = out
        dtype_x = node.inputs[0].dtype
        dtype_y = node.inputs[1].dtype
        dtype_z = node.outputs[0].dtype
        itemsize_x = numpy.dtype(dtype_x).itemsize
        itemsize_z = numpy.dtype(dtype_z).itemsize
        fail = sub["fail"]
        c_code = """
        if (NULL == %(z)s ||
            PyArray_DIMS(%(x)s)[0] != PyArray_DIMS(%(z)s)[0])
        {
            /* what is there does not fit */
            Py_XDECREF(%(z)s);
            %(z)s = (PyArrayObject*)PyArray_EMPTY(1, PyArray_DIMS(%(x)s),
                                                  PyArray_TYPE(%(x)s), 0);
            if (!%(z)s) {
                %(fail)s;
            }
        }
        {
            npy_%(dtype_x)s* x_data = (npy_%(dtype_x)s*)PyArray_DATA(%(x)s);
            npy_%(dtype_z)s* z_data = (npy_%(dtype_z)s*)PyArray_DATA(%(z)s);
            npy_%(dtype_y)s y_value =
                ((npy_%(dtype_y)s*)PyArray_DATA(%(y)s))[0];
            int x_stride = PyArray_STRIDES(%(x)s)[0] / %(itemsize_x)s;
            int z_stride = PyArray_STRIDES(%(z)s)[0] / %(itemsize_z)s;
            int x_dim = PyArray_DIMS(%(x)s)[0];
            for(int i=0; i < x_dim; i++)
            {
                z_data[i * z_stride] = (x_data[i * x_stride] * y_value);
            }
        }
        """
        return c_code % locals()

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * inputs[1]


class VectorTimesVector(COp):
    __props__ = ()

    def make_node(self, x, y):
        if x.type.ndim != 1:
            raise TypeError("x must be a 1-d vector")
        if y.type.ndim != 1:
            raise TypeError("y must be a 1-d vector")
        output_var = pytensor.tensor.type.TensorType(
            dtype=pytensor.scalar.upcast(x.dtype, y.dtype),
            shape=(None,))()
        return Apply(self, [x, y], [output_var])

    def c_code_cache_version(self):
        return (1, 0, 2)

    def c_support_code(self, **kwargs):
        return """
        bool vector_same_shape(PyArrayObject* arr1, PyArrayObject* arr2)
        {
            return (PyArray_DIMS(arr1)[0] == PyArray_DIMS(arr2)[0]);
        }
        """

    def c_support_code_apply(self, node, name):
        dtype_x = node.inputs[0].dtype
        dtype_y = node.inputs[1].dtype
        dtype_z = node.outputs[0].dtype
        c_support_code = """
        void vector_elemwise_mult_%(name)s(npy_%(dtype_x)s* x_ptr,
            int x_str, npy_%(dtype_y)s* y_ptr, int y_str,
            npy_%(dtype_z)s* z_ptr, int z_str, int nbElements)
        {
            for (int i=0; i < nbElements; i++){
                z_ptr[i * z_str] = x_ptr[i * x_str] * y_ptr[i * y_str];
            }
        }
        """
        return c_support_code % locals()

    def c_code(self, node, name, inp, out, sub):
        x, y = inp
        z, = out
        dtype_x = node.inputs[0].dtype
        dtype_y = node.inputs[1].dtype
        dtype_z = node.outputs[0].dtype
        itemsize_x = numpy.dtype(dtype_x).itemsize
        itemsize_y = numpy.dtype(dtype_y).itemsize
        itemsize_z = numpy.dtype(dtype_z).itemsize
        typenum_z = numpy.dtype(dtype_z).num
        fail = sub["fail"]
        c_code = """
        if ( !vector_same_shape(%(x)s, %(y)s))
        {
            PyErr_Format(PyExc_ValueError, "Shape mismatch : "
                         "x.shape[0] == %%i and y.shape[0] == %%i",
                         (int)PyArray_DIMS(%(x)s)[0],
                         (int)PyArray_DIMS(%(y)s)[0]);
            %(fail)s;
        }
        if (NULL == %(z)s || !(vector_same_shape(%(x)s, %(z)s)))
        {
            Py_XDECREF(%(z)s);
            %(z)s = (PyArrayObject*)PyArray_EMPTY(1, PyArray_DIMS(%(x)s),
                                                  %(typenum_z)s, 0);
            if (!%(z)s) {
                %(fail)s;
            }
        }
        vector_elemwise_mult_%(name)s(
            (npy_%(dtype_x)s*)PyArray_DATA(%(x)s),
            PyArray_STRIDES(%(x)s)[0] / %(itemsize_x)s,
            (npy_%(dtype_y)s*)PyArray_DATA(%(y)s),
            PyArray_STRIDES(%(y)s)[0] / %(itemsize_y)s,
            (npy_%(dtype_z)s*)PyArray_DATA(%(z)s),
            PyArray_STRIDES(%(z)s)[0] / %(itemsize_z)s,
            PyArray_DIMS(%(x)s)[0]);
        """
        return c_code % locals()

    def perform(self, node, inputs, output_storage):
        output_storage[0][0] = inputs[0] * inputs[1]


class ExternalVectorProduct(ExternalCOp):
    __props__ = ()
    func_file = "./Inputs/vector_product.c"
    func_name = "APPLY_SPECIFIC(vector_product)"

    def __init__(self):
        super().__init__(self.func_file, self.func_name)

    make_node = VectorTimesVector.make_node
