//===- Linkable.h - Code for another linker ---------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_LINKABLE_H
#define CLINCH_JIT_COMPILER_LINKABLE_H

#include "clinch/Compiler/Options.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch {

/// A compiled text that is not linked yet.
struct Linkable {
  /// ELF, relocatable: the text's own, and those of archives that it needs.
  std::vector<std::string> Objects;
  /// What they use, as far as it was found: in CompileOptions::Symbols, in the
  /// libraries, in this process. Null is a weak symbol that is nowhere.
  std::map<std::string, void *> Symbols;
  /// What they use and was not found. Sorted.
  std::vector<std::string> Undefined;
  /// Functions that are to be run before all else (global objects of C++).
  bool HasInitializers = false;
  /// To be held for as long as the code may run.
  std::vector<std::shared_ptr<void>> Libraries;
};

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_LINKABLE_H
