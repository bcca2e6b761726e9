// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of C that outlive a crash.

#pragma once

#include "jit/Loader/CrashFrames.h"

#include <Python.h>

namespace clinch::python {

/// What the last signal found that call_guarded() has outlived.
const CrashFrames &crashFrames();

PyObject *listCrashFrames(PyObject *, PyObject *);

} // namespace clinch::python
