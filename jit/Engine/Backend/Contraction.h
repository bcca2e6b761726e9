// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contracting products and sums.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace clinch::engine {

/// Whether anything in \p M may be contracted.
bool mayContract(const llvm::Module &M);

/// Contracts what `-ffp-contract=` or a pragma allows, so that every level of
/// optimisation rounds alike. A back end would decide by what else it knows.
///
/// What one expression allows (`=on`) is contracted if the processor has an
/// instruction for it. For `=fast`, GCC's rule holds: a product is contracted
/// if all its users can be, in its own block. Expects values in registers. If
/// sums may also be reassociated, LLVM chooses.
void contract(llvm::Module &M, const llvm::TargetMachine &TM);

} // namespace clinch::engine
