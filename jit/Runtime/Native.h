//===- Native.h - Shipped Types and Ops as Python objects -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_NATIVE_H
#define CLINCH_JIT_RUNTIME_NATIVE_H

#include "clinch/Contract/Ops.h"
#include "clinch/Contract/Types.h"
#include "jit/Runtime/PyRef.h"

namespace clinch {

/// `_clinch.NativeType` and `_clinch.NativeOp`: handles on C++ objects, which
/// the package's classes keep in `_native`. Made once; borrowed.
PyTypeObject *nativeTypeClass();
PyTypeObject *nativeOpClass();
PyRef wrapNative(TypePtr T);
PyRef wrapNative(std::shared_ptr<const Op> O);

/// The C++ Type behind a Python one: its native when it is one of the package's
/// own classes with no hook overridden, else an adaptor. Null with an exception
/// when even that fails.
TypePtr typeOf(PyObject *Type);
std::shared_ptr<const Op> opOf(PyObject *Op);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_NATIVE_H
