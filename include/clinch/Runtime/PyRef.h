//===- PyRef.h - A reference that counts itself -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_RUNTIME_PYREF_H
#define CLINCH_RUNTIME_PYREF_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>
#include <string_view>
#include <utility>

namespace clinch {

/// Owns one reference, or none. The GIL is held wherever one is touched.
class PyRef {
public:
  PyRef() = default;
  /// Takes over a new reference; null is fine.
  static PyRef steal(PyObject *O) {
    PyRef R;
    R.O = O;
    return R;
  }
  /// Adds a reference to a borrowed one; null is fine.
  static PyRef borrow(PyObject *O) { return steal(Py_XNewRef(O)); }
  PyRef(const PyRef &Other) : O(Py_XNewRef(Other.O)) {}
  PyRef(PyRef &&Other) noexcept : O(std::exchange(Other.O, nullptr)) {}
  PyRef &operator=(PyRef Other) noexcept {
    std::swap(O, Other.O);
    return *this;
  }
  ~PyRef() { Py_XDECREF(O); }

  PyObject *get() const { return O; }
  PyObject *release() { return std::exchange(O, nullptr); }
  explicit operator bool() const { return O != nullptr; }

private:
  PyObject *O = nullptr;
};

/// The UTF-8 of a str; empty when it is none (then nothing is raised).
std::string toString(PyObject *Str);
/// str(O), or the name of its class when that fails; raises nothing.
std::string describe(PyObject *O);
PyRef fromString(std::string_view Text);
/// O.Name; null with an exception when there is none.
PyRef attribute(PyObject *O, const char *Name);
/// O.Name, or null without an exception when there is no such attribute. Null
/// with an exception when looking it up failed otherwise.
PyRef attributeOrNull(PyObject *O, const char *Name);

/// Keeps a pending exception aside for as long as it lives.
class PendingError {
public:
  PendingError() { PyErr_Fetch(&Type, &Value, &Traceback); }
  PendingError(const PendingError &) = delete;
  PendingError &operator=(const PendingError &) = delete;
  ~PendingError() { PyErr_Restore(Type, Value, Traceback); }

private:
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
};

} // namespace clinch

#endif // CLINCH_RUNTIME_PYREF_H
