//===- LinkJob.h - One link: what is given, what is found out ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LINKJOB_H
#define CLINCH_JIT_LOADER_LINKJOB_H

#include "LinkInputs.h"

#include "llvm/ExecutionEngine/Orc/SymbolStringPool.h"

#include <optional>
#include <vector>

namespace clinch {

/// Functions that run before the code is used, or when it goes.
struct FunctionArray {
  using Function = void (*)();
  unsigned long Priority; ///< The lowest is the first.
  size_t Object;          ///< Which of the job's; the last is the first.
  const Function *Begin;
  size_t Count;
};

struct LinkJob : LinkInputs {
  LoadedCode *Code = nullptr; ///< What it becomes.
  const void *Near = nullptr; ///< Most of the imports are near it.
  bool Debug = false;         ///< The debugger and perf are told.

  llvm::orc::SymbolStringPtr Anchor; ///< By which ORC is asked for the module.
  size_t Linked = 0;                 ///< Of the objects, so far.
  std::vector<LoadedCode::Symbol> Symbols;
  std::vector<FunctionArray> Constructors, Destructors;
  std::vector<PerfMap::Function> Functions; ///< Where Debug is.
  std::vector<char *> Frames;               ///< Of exceptions.
  std::vector<void *> DSOHandles; ///< What `__cxa_atexit` knows objects by.
  size_t Bytes = 0;               ///< Of memory, code and data.
  std::optional<Error> Failure;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LINKJOB_H
