// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a host can launch.

#pragma once

#include "llvm/IR/Module.h"

#include <cstdint>
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

} // namespace clinch::engine
