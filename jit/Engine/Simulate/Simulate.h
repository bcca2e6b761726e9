// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code for the processor -*- C++ -*.

#pragma once

#include "clinch/Support/Expected.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <string>

namespace clinch::engine {

struct Simulation {
  bool Checks = false;
  uint64_t SharedLimit = 0; ///< Bytes that a block of the device may have.
  /// The names of files that are not the author's begin so: what they do is
  /// reported where the author calls it.
  std::string OwnFiles;
};

/// Must precede optimisation, if the module will be checked: no access may be
/// made where the author makes none.
void prepareChecks(llvm::Module &M);

/// Turns an optimised module for NVPTX into one for \p TM, the processor. It
/// defines simulate::ProgramSymbol and calls what simulate::findSimulation()
/// knows. Fails with kind Compile, and where, if it does what is not simulated.
Status simulate(llvm::Module &M, const llvm::TargetMachine &TM,
                const Simulation &S);

} // namespace clinch::engine
