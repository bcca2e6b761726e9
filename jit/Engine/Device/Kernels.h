//===- Kernels.h - What a host can launch -----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DEVICE_KERNELS_H
#define CLINCH_JIT_ENGINE_DEVICE_KERNELS_H

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

#endif // CLINCH_JIT_ENGINE_DEVICE_KERNELS_H
