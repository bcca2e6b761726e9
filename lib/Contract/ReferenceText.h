// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of types that hold a reference.

#pragma once

namespace clinch {

// `%(name)s` points to a Python object or is NULL. It owns a reference of its
// own, besides that of `py_%(name)s`.

inline constexpr const char *ReferenceInit = "%(name)s = NULL;";

/// Sets `py_%(name)s` to `%(name)s`, or to None if that is NULL.
inline constexpr const char *ReferenceSync =
    "Py_XSETREF(py_%(name)s,\n"
    "           Py_NewRef(%(name)s ? (PyObject *)%(name)s : Py_None));";

inline constexpr const char *ReferenceCleanup =
    "Py_XDECREF((PyObject *)%(name)s);";

} // namespace clinch
