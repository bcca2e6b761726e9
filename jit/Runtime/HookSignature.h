// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a Python hook is called.

#pragma once

#include "jit/Runtime/PyHook.h"

namespace clinch {

/// The parameters of a callable, without a bound one.
struct Signature {
  size_t Positional = 0;
  bool AnyPositional = false; ///< `*args`, or unknown.
  bool TakesKeyword = false;  ///< The requested one, `**kwargs`, or unknown.
};

/// Reads the signature of \p Callable. Fails with a TypeError if it takes
/// arguments, but fewer than the contract gives.
Expected<Signature> readSignature(PyObject *Callable, const HookCall &Call);

/// Calls the hook with the first \p Count arguments and, if it takes it, the
/// keyword one. If that does not work, calls it without the keyword. Returns
/// null with the exception of the first call.
PyRef invoke(PyObject *Callable, const HookCall &Call, const Signature &S,
             size_t Count);

} // namespace clinch
