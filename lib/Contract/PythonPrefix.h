// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What assembled texts begin with.

#pragma once

namespace clinch {

/// The headers of Python and NumPy, for CompileOptions::Prefix.
///
/// Nearly every text for g++ includes those of C++; reading them takes longer
/// than the rest of a compile. The macros above hide declarations at most, so
/// that no flag needs other headers.
///
/// Under `-std=c99` the system's headers declare what ISO C has alone, unless
/// they read first what Python asks of them.
///
/// Python's functions do not throw, which saves a landing pad for each call in
/// C++; those of the system that come first may, when a thread is cancelled.
/// The functions for rare cases (a failure, an unexpected class, the last
/// reference) are cold, so that their calls are moved out of the way: two of
/// them before Python's own inline functions call them.
///
/// NumPy's _import_array, which every module with arrays contains, checks in a
/// hundred lines that headers and library fit. They do: the headers are those
/// of the installed NumPy, or of NumPy 2, which serves NumPy 1 as well.
///
/// Our own headers come last, where what they need is there: read here, they
/// cost a text nothing.
constexpr const char *PythonPrefix = R"(#undef NPY_NO_DEPRECATED_API
#undef _FORTIFY_SOURCE
#define PY_SSIZE_T_CLEAN
#define NDEBUG 1
#define _import_array clinch_numpys_import_array
#ifdef __STRICT_ANSI__
#include <pyconfig.h>
#endif
#include <math.h>
struct _object;
struct _typeobject;
#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <complex>
#include <cxxabi.h>
#include <typeinfo>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
#include <wchar.h>
#pragma clang attribute push(__attribute__((nothrow)), apply_to = hasType(functionType))
extern "C" {
#endif
__attribute__((cold)) void _Py_Dealloc(struct _object *);
__attribute__((cold)) int PyType_IsSubtype(struct _typeobject *, struct _typeobject *);
#ifdef __cplusplus
}
#endif
#include <Python.h>
#include <patchlevel.h>
#include <pyconfig.h>
#include <numpy/_numpyconfig.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/npy_math.h>
#undef _import_array
#ifdef __cplusplus
#pragma clang attribute pop
#endif
#ifdef import_array
#define CLINCH_COLD(F) extern __typeof__(F) F __attribute__((cold));
CLINCH_COLD(PyErr_Format)
CLINCH_COLD(PyErr_FormatV)
CLINCH_COLD(PyErr_NoMemory)
CLINCH_COLD(PyErr_SetFromErrno)
CLINCH_COLD(PyErr_SetNone)
CLINCH_COLD(PyErr_SetObject)
CLINCH_COLD(PyErr_SetString)
#undef CLINCH_COLD
__attribute__((cold, noinline, optnone, unused)) static int _import_array(void)
{
#if NPY_ABI_VERSION >= 0x02000000
  PyObject *Module = PyImport_ImportModule("numpy._core._multiarray_umath");
  if (!Module && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) {
    PyErr_Clear();
    Module = PyImport_ImportModule("numpy.core._multiarray_umath");
  }
#else
  PyObject *Module = PyImport_ImportModule("numpy.core._multiarray_umath");
#endif
  PyObject *Table = Module ? PyObject_GetAttrString(Module, "_ARRAY_API") : 0;
  PyArray_API = Table ? (void **)PyCapsule_GetPointer(Table, 0) : 0;
  Py_XDECREF(Table);
  Py_XDECREF(Module);
#if NPY_ABI_VERSION >= 0x02000000
  if (PyArray_API)
    PyArray_RUNTIME_VERSION = (int)PyArray_GetNDArrayCFeatureVersion();
#endif
  return PyArray_API ? 0 : -1;
}
#include <clinch/array.h>
#include <clinch/loops.h>
#endif
#ifdef Py_PYTHON_H
#include <clinch/thunk.h>
#endif
#undef NDEBUG
)";

} // namespace clinch
