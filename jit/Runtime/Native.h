// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shipped Types and Ops as Python objects.

#pragma once

#include "clinch/Contract/Op.h"
#include "clinch/Contract/Type.h"
#include "jit/Runtime/PyRef.h"

namespace clinch {

/// The classes `_clinch.NativeType` and `_clinch.NativeOp`, borrowed. Instances
/// hold a C++ object; the package's classes keep one in `_native`.
PyTypeObject *nativeTypeClass();
PyTypeObject *nativeOpClass();
PyRef wrapNative(TypePtr T);
PyRef wrapNative(std::shared_ptr<const Op> O);

/// Returns the C++ Type of a Python one: its native one if it is of the
/// package's own classes and overrides no hook, else an adaptor. Never null.
TypePtr typeOf(PyObject *Type);
std::shared_ptr<const Op> opOf(PyObject *Op);

} // namespace clinch
