// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, and host code that launches them.

#pragma once

#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clinch::engine {

struct Kernel {
  std::string Symbol;
  std::string Name; ///< As written, with namespaces and template arguments.
  struct Parameter {
    uint64_t Size, Align;
  };
  std::vector<Parameter> Parameters;
  /// Of the shared variables that it, or what it calls, uses.
  uint64_t SharedBytes = 0;
};

/// Returns the kernels of a module of a device, sorted by symbol.
std::vector<Kernel> kernelsOf(const llvm::Module &M);

/// Lets what Clang made of a block in CUDA forget its kernels when its code
/// is freed, which Clang leaves to the end of the process.
void unloadWithCode(llvm::Module &M);

/// Lets it call our runtime, and no other that is in the process. Must precede
/// optimisation.
void useDriver(llvm::Module &M);

/// Lets it register a simulated program in place of its image, and call the
/// simulator in place of a driver. Must precede optimisation.
void useSimulator(llvm::Module &M);

/// Links the simulated program in. Must follow optimisation: the program has
/// been optimised as the device's compiler does it.
void linkProgram(llvm::Module &M, std::unique_ptr<llvm::Module> Program);

} // namespace clinch::engine
