//===- LinkJob.h - One link: what is given, what is found out ---*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LINKJOB_H
#define CLINCH_JIT_LOADER_LINKJOB_H

#include "LoadedCode.h"
#include "ObjectReader.h"
#include "PerfMap.h"

#include <optional>
#include <string_view>
#include <vector>

namespace clinch {

/// Functions that run before the code is used, or when it goes.
struct FunctionArray {
  using Function = void (*)();
  unsigned long Priority; ///< The lowest is the first.
  const Function *Begin;
  size_t Count;
};

struct LinkJob {
  std::string_view Object;
  std::vector<Import> Imports; ///< Sorted by name, with addresses.
  const void *Near = nullptr;  ///< Most of the imports are near it.
  bool Debug = false;          ///< The debugger and perf are told.

  std::vector<LoadedCode::Symbol> Symbols;
  std::vector<FunctionArray> Constructors, Destructors;
  std::vector<PerfMap::Function> Functions; ///< Where Debug is.
  char *Frames = nullptr;                   ///< Of exceptions; null: none.
  char *DSOHandle = nullptr; ///< What `__cxa_atexit` knows the object by.
  size_t Bytes = 0;          ///< Of memory, code and data.
  std::optional<Error> Failure;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LINKJOB_H
