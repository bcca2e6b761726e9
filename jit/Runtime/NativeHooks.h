// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hooks of shipped Ops, from Python.

#pragma once

#include "Raise.h"
#include "clinch/Contract/Op.h"
#include "clinch/Contract/Type.h"

namespace clinch {

/// Implements `native.text(hook, node, name[, inputs, outputs][, sub])` of an
/// Op: returns the filled text, a new reference, or null with an exception.
PyObject *opHookText(const Op &O, PyObject *Args);

/// Fills \p Text from \p Sub; returns it as opHookText() does.
PyObject *filledText(Expected<HookText> Text, const Substitutions &Sub,
                     const std::string &Hook);

/// Returns the name, the cell and all of \p Dict, such as `fail`.
Substitutions substitutionsOf(const std::string &Name, PyObject *Dict);

/// Lets lib/ read constants that are Python objects; see setScalarReader().
void installScalarReader();

} // namespace clinch
