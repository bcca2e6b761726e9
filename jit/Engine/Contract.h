//===- Contract.h - Products and sums in one -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CONTRACT_H
#define CLINCH_JIT_ENGINE_CONTRACT_H

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// What `-ffp-contract=fast` allows, done once and for all, by GCC's rule: a
/// product is contracted when everything that uses it can be, in its own block.
/// Back ends decide by what else they know, so that each level of optimisation
/// would round differently. Expects values in registers.
void contract(llvm::Module &M);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CONTRACT_H
