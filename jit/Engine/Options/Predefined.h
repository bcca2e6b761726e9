//===- Predefined.h - Clang's predefined macros -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H
#define CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H

#include "clang/Frontend/CompilerInvocation.h"

namespace clinch::engine {

/// Defines or undefines in \p I the predefined macros, such as `__AVX2__` and
/// `_OPENMP`, in which it differs from \p OfPrefix.
void definePredefined(clang::CompilerInvocation &I,
                      const clang::CompilerInvocation &OfPrefix);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H
