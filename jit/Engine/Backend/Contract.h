//===- Contract.h - Products and sums in one -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_CONTRACT_H
#define CLINCH_JIT_ENGINE_BACKEND_CONTRACT_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace clinch::engine {

/// Whether anything in \p M may be rounded together with something else.
bool mayContract(const llvm::Module &M);

/// Does once and for all what `-ffp-contract=` allows, or a pragma, so that
/// each level of optimisation rounds alike; back ends decide by what else they
/// know.
///
/// What an expression allows (`=on`) is done where the processor has an
/// instruction for it. For `=fast` it is GCC's rule: a product is contracted
/// when everything that uses it can be, in its own block. Expects values in
/// registers. Where sums may be taken in any order too, LLVM chooses.
void contract(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_CONTRACT_H
