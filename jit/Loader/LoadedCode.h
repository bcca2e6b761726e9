//===- LoadedCode.h - Code that can be called ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LOADEDCODE_H
#define CLINCH_JIT_LOADER_LOADEDCODE_H

#include "CodeMemory.h"
#include "LibraryFinder.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

class DebugRegistration;
class FrameRegistration;

/// An object in memory: its symbols, and what must be undone when it goes.
/// Destructors of its global objects run then.
class LoadedCode {
public:
  LoadedCode();
  ~LoadedCode();
  LoadedCode(const LoadedCode &) = delete;
  LoadedCode &operator=(const LoadedCode &) = delete;

  /// Null when there is no such symbol.
  void *lookup(std::string_view Name) const;
  /// Names of what the code can change: its globals and statics. Sorted.
  const std::vector<std::string> &variables() const { return Variables; }
  /// Of memory, code and data.
  size_t bytes() const { return Memory.bytes(); }

private:
  friend class ObjectLoader;
  struct Symbol {
    std::string Name;
    char *Address;
  };

  CodeMemory *Allocator = nullptr;
  MemoryBlock Memory;
  std::vector<Symbol> Symbols; ///< Sorted by name.
  std::vector<std::string> Variables;
  std::vector<LibraryHandle> Libraries;
  std::vector<void (*)()> Finalizers;
  void *DSOHandle = nullptr; ///< What `__cxa_atexit` knows the object by.
  std::unique_ptr<FrameRegistration> Frames;
  std::unique_ptr<DebugRegistration> Debug;
};

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LOADEDCODE_H
