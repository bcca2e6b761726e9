//===- RareLanes.h - What few lanes of a vector need ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors compute both of what a function of lib/Math selects from: sines of
// huge numbers, too, which are made of numbers gathered from a table. After
// vectorisation this is put behind a branch that is taken if any lane needs it.
// What is computed stays as it is: the selects, too.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_RARELANES_H
#define CLINCH_JIT_ENGINE_BACKEND_RARELANES_H

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Adds the pass behind the vectorisers.
void addRareLanes(llvm::PassBuilder &Builder);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_RARELANES_H
