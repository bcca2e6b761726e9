//===- NativeHooks.h - The hooks of shipped Ops, from Python ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_NATIVEHOOKS_H
#define CLINCH_JIT_RUNTIME_NATIVEHOOKS_H

#include "Raise.h"
#include "clinch/Contract/Op.h"

namespace clinch {

/// `native.text(hook, node, name[, inputs, outputs][, sub])` of an Op: what the
/// hook of that name returns, filled. Null with an exception on failure.
PyObject *opHookText(const Op &O, PyObject *Args);

/// What a hook returned, filled from \p Sub as the assembler would.
PyObject *filledText(Expected<HookText> Text, const Substitutions &Sub,
                     const std::string &Hook);

/// The name, the cell and all of \p Dict, which says `fail` and so on.
Substitutions substitutionsOf(const std::string &Name, PyObject *Dict);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_NATIVEHOOKS_H
