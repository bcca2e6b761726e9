//===- Initializers.h - Who calls the initialisers of texts -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_INITIALIZERS_H
#define CLINCH_JIT_LOADER_INITIALIZERS_H

namespace clinch {

/// Keeps an initialiser for later, unless it returns false.
using DeferInitializerFn = bool (*)(void (*Initializer)());

/// From now on, \p Defer may keep those of what is linked from being called.
void setInitializerDefer(DeferInitializerFn Defer);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_INITIALIZERS_H
