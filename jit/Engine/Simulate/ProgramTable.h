// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a simulated program consists of.

#pragma once

#include "Rewriter.h"

namespace clinch::engine {

/// Finds the kernels and variables of a module, as it comes from the device's
/// optimiser, and writes simulate::Program into it.
class ProgramTable {
public:
  struct Shared {
    llvm::GlobalVariable *Global;
    uint64_t Offset;
  };

  explicit ProgramTable(Rewriter &R);
  const std::vector<Shared> &shared() const { return Variables; }
  /// Notes how many bytes of local variables the functions have, and refuses
  /// what no device has.
  void measureLocals();
  /// Must follow the rewriting, which finds the sites.
  void emit();

private:
  struct Entry {
    llvm::Function *Kernel;
    uint64_t SharedBytes;
    uint32_t MaxThreads;
  };
  uint64_t sharedBytesOf(llvm::Function &Kernel) const;
  llvm::Constant *text(llvm::StringRef Text);
  llvm::Constant *number32(uint64_t N) {
    return llvm::ConstantInt::get(R.I32, N);
  }
  llvm::Constant *number64(uint64_t N) {
    return llvm::ConstantInt::get(R.I64, N);
  }
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> Items);
  llvm::Function *wrapper(llvm::Function &Kernel);
  llvm::Constant *kernels();
  llvm::Constant *variables();
  llvm::Constant *sites();
  std::vector<llvm::Constant *> functions();

  Rewriter &R;
  std::vector<Entry> Kernels;
  std::vector<Shared> Variables;
  std::vector<llvm::GlobalVariable *> Globals;
  uint64_t SharedBytes = 0, LocalBytes = 0;
  llvm::StringMap<llvm::Constant *> Texts;
};

} // namespace clinch::engine
