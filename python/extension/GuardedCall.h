// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of C that outlive a crash.

#pragma once

#include <Python.h>

namespace clinch::python {

PyObject *listCrashFrames(PyObject *, PyObject *);

} // namespace clinch::python
