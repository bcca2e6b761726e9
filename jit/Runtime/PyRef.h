// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for Python objects.

#pragma once

#include "clinch/Clinch.h"

#include <string>
#include <string_view>

namespace clinch {

/// Clears a pending exception. If it is a MemoryError, throws std::bad_alloc,
/// so that lack of memory is not mistaken for an answer.
void clearError();
/// Returns the UTF-8 of a str, or an empty string; raises nothing.
std::string toString(PyObject *Str);
/// Returns str(O), or its class name if that fails; raises nothing.
std::string describe(PyObject *O);
PyRef fromString(std::string_view Text);
/// Returns O.Name, or null with an exception.
PyRef attribute(PyObject *O, const char *Name);
/// Returns O.Name, or null if there is no such attribute. Null with an
/// exception means that the lookup failed otherwise.
PyRef attributeOrNull(PyObject *O, const char *Name);

/// Sets a pending exception aside during its lifetime.
class PendingError {
public:
  PendingError() { PyErr_Fetch(&Type, &Value, &Traceback); }
  PendingError(const PendingError &) = delete;
  PendingError &operator=(const PendingError &) = delete;
  ~PendingError() { PyErr_Restore(Type, Value, Traceback); }
  /// Forgets the exception.
  void drop() {
    Py_CLEAR(Type);
    Py_CLEAR(Value);
    Py_CLEAR(Traceback);
  }

private:
  PyObject *Type = nullptr, *Value = nullptr, *Traceback = nullptr;
};

} // namespace clinch
