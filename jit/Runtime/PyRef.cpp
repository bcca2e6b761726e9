// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for Python objects.

#include "jit/Runtime/PyRef.h"

#include <new>

using namespace clinch;

void clinch::clearError() {
  const bool HasMemory =
      !PyErr_Occurred() || !PyErr_ExceptionMatches(PyExc_MemoryError);
  PyErr_Clear();
  if (!HasMemory)
    throw std::bad_alloc();
}

std::string clinch::toString(PyObject *Str) {
  Py_ssize_t Size = 0;
  if (!Str || !PyUnicode_Check(Str))
    return {};
  if (const char *Data = PyUnicode_AsUTF8AndSize(Str, &Size))
    return {Data, size_t(Size)};
  // Lone surrogates: bytes that Python has escaped, or no text at all.
  PyRef Bytes;
  for (const char *Errors : {"surrogateescape", "surrogatepass"}) {
    clearError();
    if (!Bytes)
      Bytes = PyRef::steal(PyUnicode_AsEncodedString(Str, "utf-8", Errors));
  }
  clearError();
  return Bytes ? std::string(PyBytes_AS_STRING(Bytes.get()),
                             size_t(PyBytes_GET_SIZE(Bytes.get())))
               : std::string();
}

std::string clinch::describe(PyObject *O) {
  if (!O)
    return "NULL";
  PendingError Aside;
  PyRef Str = PyRef::steal(PyObject_Str(O));
  if (!Str) {
    PyErr_Clear();
    return Py_TYPE(O)->tp_name;
  }
  return toString(Str.get());
}

PyRef clinch::fromString(std::string_view Text) {
  return PyRef::steal(PyUnicode_DecodeUTF8(Text.data(), Py_ssize_t(Text.size()),
                                           "backslashreplace"));
}

/// Interns the name, as Python's own code does: others are looked up in each
/// base class and compared letter by letter.
PyRef clinch::attribute(PyObject *O, const char *Name) {
  PyRef Key = PyRef::steal(PyUnicode_InternFromString(Name));
  return PyRef::steal(Key ? PyObject_GetAttr(O, Key.get()) : nullptr);
}

PyRef clinch::attributeOrNull(PyObject *O, const char *Name) {
  PyRef Key = PyRef::steal(PyUnicode_InternFromString(Name));
  PyObject *Value = nullptr;
  // Avoid an AttributeError that nobody sees.
#if PY_VERSION_HEX >= 0x030d0000
  if (Key)
    PyObject_GetOptionalAttr(O, Key.get(), &Value);
#else
  if (Key)
    _PyObject_LookupAttr(O, Key.get(), &Value);
#endif
  if (!Value && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_MemoryError))
    clearError();
  return PyRef::steal(Value);
}
