// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C code of the generic Ops for our types.

#pragma once

namespace clinch {

inline constexpr const char *ValueCopy = "%(oname)s = %(iname)s;";

inline constexpr const char *ReferenceView =
    "Py_XDECREF((PyObject *)%(oname)s);\n"
    "%(oname)s = %(iname)s;\n"
    "Py_XINCREF((PyObject *)%(oname)s);";

inline constexpr const char *ObjectDeepCopy =
    "Py_XDECREF(%(oname)s);\n"
    "%(oname)s = NULL;\n"
    "{\n"
    "  PyObject *copy_%(oname)s = PyImport_ImportModule(\"copy\");\n"
    "  if (copy_%(oname)s) {\n"
    "    %(oname)s = PyObject_CallMethod(copy_%(oname)s, \"deepcopy\", \"O\",\n"
    "                                    %(iname)s);\n"
    "    Py_DECREF(copy_%(oname)s);\n"
    "  }\n"
    "}\n"
    "if (!%(oname)s) {\n"
    "  %(fail)s\n"
    "}";

/// Reuses the storage of the last run if its shape and its order in memory
/// match.
inline constexpr const char *ArrayDeepCopy =
    "if (%(oname)s && PyArray_CompareLists(PyArray_DIMS(%(oname)s),\n"
    "                                      PyArray_DIMS(%(iname)s),\n"
    "                                      PyArray_NDIM(%(iname)s)) &&\n"
    "    (PyArray_NDIM(%(iname)s) < 2 ||\n"
    "     PyArray_FLAGS(%(iname)s) & PyArray_FLAGS(%(oname)s) &\n"
    "     (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS))) {\n"
    "  if (PyArray_CopyInto(%(oname)s, %(iname)s) < 0) {\n"
    "    %(fail)s\n"
    "  }\n"
    "} else {\n"
    "  Py_XDECREF((PyObject *)%(oname)s);\n"
    "  %(oname)s = (PyArrayObject *)PyArray_NewCopy(%(iname)s, "
    "NPY_KEEPORDER);\n"
    "  if (!%(oname)s) {\n"
    "    %(fail)s\n"
    "  }\n"
    "}";

inline constexpr const char *ArrayShape =
    "if (!%(oname)s ||\n"
    "    PyArray_DIMS(%(oname)s)[0] != PyArray_NDIM(%(iname)s)) {\n"
    "  npy_intp length_%(oname)s = PyArray_NDIM(%(iname)s);\n"
    "  Py_XDECREF((PyObject *)%(oname)s);\n"
    "  %(oname)s = (PyArrayObject *)PyArray_EMPTY(1, &length_%(oname)s,\n"
    "                                             NPY_INT64, 0);\n"
    "  if (!%(oname)s) {\n"
    "    %(fail)s\n"
    "  }\n"
    "}\n"
    "for (int k_%(oname)s = 0; k_%(oname)s < PyArray_NDIM(%(iname)s);\n"
    "     ++k_%(oname)s)\n"
    "  *(npy_int64 *)PyArray_GETPTR1(%(oname)s, k_%(oname)s) =\n"
    "      PyArray_DIMS(%(iname)s)[k_%(oname)s];";

inline constexpr const char *ArrayShapeICheck =
    "if (PyArray_NDIM(%(iname)s) <= %(i)s) {\n"
    "  PyErr_Format(PyExc_TypeError,\n"
    "               \"Shape_i of dimension %(i)s needs more than the %%d \"\n"
    "               \"dimensions of this array\",\n"
    "               PyArray_NDIM(%(iname)s));\n"
    "  %(fail)s\n"
    "}";

inline constexpr const char *ArrayShapeI =
    "if (!%(oname)s) {\n"
    "  %(oname)s = (PyArrayObject *)PyArray_EMPTY(0, NULL, NPY_INT64, 0);\n"
    "  if (!%(oname)s) {\n"
    "    %(fail)s\n"
    "  }\n"
    "}\n"
    "*(npy_int64 *)PyArray_DATA(%(oname)s) = PyArray_DIMS(%(iname)s)[%(i)s];";

} // namespace clinch
