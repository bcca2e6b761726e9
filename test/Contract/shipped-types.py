# The text of each Type that comes with Clinch, where its hooks put it.
#
# RUN: clinch --emit=c %s | FileCheck %s
# RUN: clinch --emit=c --language=c++ %s | FileCheck %s
# RUN: clinch --emit=c %s | FileCheck %s --check-prefix=ONCE

import clinch
from clinch.ops.generic_ops import deep_copy_op, view_op

v = TensorType("float32", (None, 3))("v")
s = Scalar("complex64")("s")
b = Scalar("bool")("b")
o = generic("o")
c = CDataType("FILE *", "fclose", headers=["<stdio.h>"])("c")


class Hold(COp):
    """Takes the file, and says whether there was one."""

    __props__ = ()

    def make_node(self, c):
        return Apply(self, [c], [Scalar("bool")()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} != NULL;"


f = function([v, s, b, o, c],
             [deep_copy_op(v), clinch.mul(s, s), clinch.tensor.switch(b, 2.0, 3.0),
              view_op(o), Hold()(c)])

# Text at global scope is there once.
# ONCE: #include <numpy/arrayobject.h>
# ONCE-NOT: #include <numpy/arrayobject.h>
# ONCE: typedef double _Complex clinch_complex;
# ONCE-NOT: typedef double _Complex clinch_complex;
# ONCE: static void clinch_free_capsule(PyObject *capsule)
# ONCE: CLINCH_IMPORTS_ARRAYS
# ONCE-NOT: CLINCH_IMPORTS_ARRAYS

# An array: a typedef, NULL before the first check, a reference of its own.
# CHECK: typedef npy_float32 dtype_[[V:V[0-9]+]];
# CHECK: {{ }}[[V]] = NULL;
# CHECK-NEXT: if (!clinch_is_array(py_[[V]], NPY_FLOAT32, "float32", 2) ||
# CHECK-NEXT: !clinch_has_length(py_[[V]], 1, 3) ||
# CHECK-NEXT: !clinch_is_aligned(py_[[V]]))
# CHECK-NEXT: failure = 1
# CHECK-NEXT: [[V]] = (PyArrayObject *)Py_NewRef(py_[[V]]);

# A NumPy scalar.
# CHECK: if (!PyArray_IsScalar(py_[[S:V[0-9]+]], Complex64)) {
# CHECK: expected a numpy.complex64 scalar, not %.200s
# CHECK: [[S]] = PyArrayScalar_VAL(py_[[S]], Complex64);
# CHECK: [[B:V[0-9]+]] = PyArrayScalar_VAL(py_[[B]], Bool);

# Any object, and a pointer in a capsule.
# CHECK: {{^ *}}PyObject *[[O:V[0-9]+]];
# CHECK: Py_INCREF(py_[[O]]);
# CHECK-NEXT: [[O]] = py_[[O]];
# CHECK: {{^}}FILE * [[C:V[0-9]+]];
# CHECK-NEXT: int [[C]]_borrowed;
# CHECK: [[C]] = (FILE *)PyCapsule_GetPointer(py_[[C]], NULL);

# Literals stand where a name would; the output of the array is reused.
# CHECK: if (clinch_is_reusable(py_[[Z:V[0-9]+]], NPY_FLOAT32, 2)
# CHECK: PyArray_CopyInto([[Z]], [[V]])
# CHECK: = clinch_to_complex64(clinch_complex_mul(clinch_from_complex64([[S]]), clinch_from_complex64([[S]])));
# CHECK: = ((double)[[B]]) ? (2.0) : (3.0);

# What goes out, and what is released.
# CHECK: Py_NewRef([[Z]] ? (PyObject *)[[Z]] : Py_None));
# CHECK: Py_XDECREF((PyObject *)[[Z]]);
# CHECK: if ([[C]] && ![[C]]_borrowed)
# CHECK-NEXT: fclose([[C]]);
# CHECK: Py_XDECREF((PyObject *)[[V]]);
