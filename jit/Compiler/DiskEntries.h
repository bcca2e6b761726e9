// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of the cache on disk.
//
// For tools that inspect or clean a cache, or copy entries to another machine.
// An entry is one file named by its key. Compiling needs none of this.

#pragma once

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
  std::string Name; ///< Of an entry, its key and `.o.clinch`.
  size_t Bytes = 0;
  int64_t Used = 0;       ///< Last use, in seconds since 1970.
  bool Abandoned = false; ///< A temporary file of a process that is gone.
};

/// Returns entries, precompiled headers and temporary files; empty if the
/// folder does not exist or is not this user's alone.
std::vector<DiskFile> diskFiles(const std::string &Dir);

/// Returns the bytes of the entry of \p Key, if it is intact.
std::optional<std::string> readDiskEntry(const std::string &Dir,
                                         const std::string &Key);

/// Returns whether \p Bytes are exactly an intact entry made for \p Key.
bool isDiskEntry(const std::string &Key, std::string_view Bytes);

/// Adds an entry for later compiles. Returns false if \p Bytes are not an entry
/// or the folder cannot be used.
bool addDiskEntry(const std::string &Dir, const std::string &Key,
                  std::string_view Bytes);

/// Removes a file that diskFiles() lists.
bool removeDiskFile(const std::string &Dir, const std::string &Name);

/// What code depends on besides its text and options: if both fields are equal,
/// so is the code. `Processor` is empty if any x86-64 processor will do.
struct CodeOrigin {
  std::string Build;     ///< The versions and headers built into Clinch.
  std::string Processor; ///< A hash of the processor's features.
};
CodeOrigin codeOrigin(const CompileOptions &O);

} // namespace clinch
