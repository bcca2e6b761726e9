//===- DiskEntries.h - The files of the cache on disk --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that look at a cache, tidy it, or carry entries to another
// machine. An entry is one file under its key; nobody needs to know what made
// it. Whoever compiles needs none of this.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_DISKENTRIES_H
#define CLINCH_JIT_COMPILER_DISKENTRIES_H

#include "clinch/Compiler/Options.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// A file of the cache's folder.
struct DiskFile {
  std::string Name; ///< Of an entry: its key and `.o.clinch`.
  size_t Bytes = 0;
  int64_t Used = 0;       ///< When it was used last, in seconds since 1970.
  bool Abandoned = false; ///< Written aside by a process that is gone.
};

/// Entries, precompiled headers and what was left aside; nothing when the
/// folder is not there, or not this user's alone.
std::vector<DiskFile> diskFiles(const std::string &Dir);

/// The bytes of the entry under \p Key, if it is whole.
std::optional<std::string> readDiskEntry(const std::string &Dir,
                                         const std::string &Key);

/// Whether \p Bytes are a whole entry made for \p Key, and nothing else.
bool isDiskEntry(const std::string &Key, std::string_view Bytes);

/// Puts an entry where a compile finds it; false for what is none, and where
/// the folder cannot be used.
bool addDiskEntry(const std::string &Dir, const std::string &Key,
                  std::string_view Bytes);

/// Removes a file that diskFiles() names.
bool removeDiskFile(const std::string &Dir, const std::string &Name);

/// What code depends on besides its text: the same words, the same machine
/// code. `Processor` is empty where any x86-64 processor will do.
struct CodeOrigin {
  std::string Build;     ///< The versions and headers that Clinch has inside.
  std::string Processor; ///< A hash of the features that code was made for.
};
CodeOrigin codeOrigin(const CompileOptions &O);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_DISKENTRIES_H
