// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names to addresses.

#pragma once

#include "LibraryFinder.h"
#include "clinch/Compiler/Options.h"

#include <string_view>
#include <vector>

namespace clinch {

/// Where a name was found: an address, an object, or neither.
struct Resolved {
  void *Address = nullptr;
  std::string_view Object; ///< In an archive; must be linked too.

  explicit operator bool() const { return Address || !Object.empty(); }
};

/// Finds an undefined symbol of an object: in the host's table, the process's
/// OpenMP, the named libraries in order, the process, and last the libraries
/// that compiler output needs (libm, libstdc++, libgcc_s, libatomic, builtins).
/// The functions of lib/Math have names that nothing else has; those of CUDA's
/// runtime are ours unless a named library has them. \p Name ends in a NUL.
Resolved findSymbol(std::string_view Name,
                    const std::map<std::string, void *> &Host,
                    const std::vector<Library> &Libraries);

/// Returns "Symbols are missing: ... `a`, `b`.", sorted, unique, demangled.
/// Each has a diagnostic with its name as the message and no location yet.
Error missingSymbols(std::vector<std::string> Names);

} // namespace clinch
