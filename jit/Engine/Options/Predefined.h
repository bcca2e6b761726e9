//===- Predefined.h - The macros that Clang defines before a text -*- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H
#define CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H

#include "clang/Frontend/CompilerInvocation.h"

namespace clinch::engine {

/// The prefix brings the macros of its own flags: `__AVX2__` and `_OPENMP` must
/// be defined for a text with others all the same.
void definePredefined(clang::CompilerInvocation &I,
                      const clang::CompilerInvocation &OfPrefix);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PREDEFINED_H
