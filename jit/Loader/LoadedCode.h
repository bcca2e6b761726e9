//===- LoadedCode.h - Code that can be called ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LOADEDCODE_H
#define CLINCH_JIT_LOADER_LOADEDCODE_H

#include "CrashNotes.h"
#include "PerfMap.h"
#include "clinch/Compiler/Session.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

class FrameRegistration;
class LinkedModule;

/// A loaded object: its symbols and what its destructor must undo. The
/// destructor also destroys its global objects.
class LoadedCode : public std::enable_shared_from_this<LoadedCode> {
public:
  struct Symbol {
    std::string Name;
    char *Address;
  };

  LoadedCode();
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Returns null if there is no such symbol.
  void *lookup(std::string_view Name) const;
  /// Names of the globals and statics that the code can change, sorted.
  const std::vector<std::string> &variables() const { return Variables; }
  const std::vector<clinch::Module::Function> &functions() const {
    return Functions;
  }
  /// See ObjectSummary.
  const std::vector<std::string> &sharedThreadLocals() const {
    return SharedThreadLocals;
  }
  /// Memory of code and data.
  size_t bytes() const { return Bytes; }

private:
  friend class Linker;

  std::unique_ptr<LinkedModule> Module;
  std::vector<Symbol> Symbols; ///< Sorted by name.
  std::vector<std::string> Variables;
  std::vector<std::string> SharedThreadLocals;
  std::vector<clinch::Module::Function> Functions;
  std::vector<std::shared_ptr<void>> Libraries;
  std::vector<void (*)()> Finalizers;
  size_t Bytes = 0;
  std::vector<void *> DSOHandles; ///< Identify objects to `__cxa_atexit`.
  std::vector<std::unique_ptr<FrameRegistration>> Frames;
  std::optional<PerfMap::Entry> PerfNames;
  std::unique_ptr<CrashNotes> Notes;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LOADEDCODE_H
