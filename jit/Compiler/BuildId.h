// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifies the build of a library.

#pragma once

#include <string>

namespace clinch {

/// Returns the build id in the ELF file at \p Path, else its size and time of
/// modification; empty if there is no such file.
std::string buildId(const std::string &Path);

/// Returns whether an ELF file ends before its segments do, as after an
/// incomplete copy. Loading it would crash the process.
bool isCutShort(const std::string &Path);

} // namespace clinch
