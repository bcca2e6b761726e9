// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for another linker.

#pragma once

#include "clinch/Compiler/Options.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch {

/// A compiled text that is not linked yet.
struct Linkable {
  /// Relocatable ELF objects: the text's own and those it needs from archives.
  /// PTX if the text was compiled for a device; then there is nothing to link.
  std::vector<std::string> Objects;
  /// The symbols that were found: in CompileOptions::Symbols, the libraries or
  /// this process. Null for a weak symbol that was not found.
  std::map<std::string, void *> Symbols;
  /// The symbols that were not found, sorted.
  std::vector<std::string> Undefined;
  /// Some function must run before any other (global objects of C++).
  bool HasInitializers = false;
  /// The stages that were kept, warnings, and whether the disk had all that.
  std::vector<std::pair<Stage, std::string>> Kept;
  std::vector<Diagnostic> Warnings;
  bool FromDisk = false;
  /// Of a text that is not from disk: see EngineResult::Uses.
  std::vector<Diagnostic> Uses;
  /// Must be kept for as long as the code may run.
  std::vector<std::shared_ptr<void>> Libraries;
};

} // namespace clinch
