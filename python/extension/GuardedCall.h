//===- GuardedCall.h - Calls of C that outlive a crash ----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_PYTHON_EXTENSION_GUARDEDCALL_H
#define CLINCH_PYTHON_EXTENSION_GUARDEDCALL_H

#include "jit/Loader/CrashFrames.h"

#include <Python.h>

namespace clinch::python {

/// What the last signal found that call_guarded() has outlived.
const CrashFrames &crashFrames();

PyObject *listCrashFrames(PyObject *, PyObject *);

} // namespace clinch::python

#endif // CLINCH_PYTHON_EXTENSION_GUARDEDCALL_H
