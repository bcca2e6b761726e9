//===- Linker.h - From object to code ---------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LINKER_H
#define CLINCH_JIT_LOADER_LINKER_H

#include "LoadedCode.h"
#include "clinch/Compiler/Options.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

struct LinkRequest {
  std::string_view Object; ///< Relocatable ELF.
  std::map<std::string, void *> Symbols;
  std::vector<std::string> Libraries;
  std::vector<std::string> LibraryDirs;
  /// Registers the code's frames with the unwinder: exceptions may cross them.
  bool CanThrow = false;
  bool Debug = false; ///< Registers with gdb and perf.
};

/// Links an object into this process with ORC and runs its initialisers.
Expected<std::shared_ptr<LoadedCode>> linkObject(const LinkRequest &R);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LINKER_H
