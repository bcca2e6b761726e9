//===- Recycling.h - Which storage may be used again ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_RECYCLING_H
#define CLINCH_JIT_RUNTIME_RECYCLING_H

#include "clinch/Graph/Graph.h"

namespace clinch {

/// Variables that share memory with others by some Op's view_map or
/// destroy_map. Their storage must not be used again in the next run: it may
/// be a caller's array, or part of a result that a caller still has.
std::vector<const Variable *> aliasedVariables(const Graph &G);

/// For each input of the function, whether some Op works in place on it.
std::vector<bool> destroyedInputs(const Graph &G);

/// For each output of the function, whether its storage may be written to in
/// the next run: no input, constant, simple or aliased variable.
std::vector<bool>
recycledOutputs(const Graph &G, const std::vector<const Variable *> &NotThese);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_RECYCLING_H
