// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of the cache on disk.
//
// For tools that copy entries to another machine.
// An entry is one file named by its key. Compiling needs none of this.

#pragma once

#include "clinch/Compiler/Options.h"

#include <optional>
#include <string>
#include <string_view>

namespace clinch {

/// Returns the bytes of the entry of \p Key, if it is intact.
std::optional<std::string> readDiskEntry(const std::string &Dir,
                                         const std::string &Key);

/// Returns whether \p Bytes are exactly an intact entry made for \p Key.
bool isDiskEntry(const std::string &Key, std::string_view Bytes);

/// Adds an entry for later compiles. Returns false if \p Bytes are not an entry
/// or the folder cannot be used.
bool addDiskEntry(const std::string &Dir, const std::string &Key,
                  std::string_view Bytes);

/// What code depends on besides its text and options: if both fields are equal,
/// so is the code. `Processor` is empty if any x86-64 processor will do.
struct CodeOrigin {
  std::string Build;     ///< The versions and headers built into Clinch.
  std::string Processor; ///< A hash of the processor's features.
};
CodeOrigin codeOrigin(const CompileOptions &O);

} // namespace clinch
