// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags that are gcc's alone.
//
// Programs that print text hand over the flags that they have for gcc, and
// those that they were built with. Clang knows most, and Flags.cpp refuses
// some. A flag for how gcc's optimiser works, for its linker or for its driver
// says nothing about what code in memory means. The rest is left out, with one
// warning.

#pragma once

#include "llvm/Option/Arg.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// Returns what Clang calls the flag \p A of gcc's, nothing at all if it has
/// no meaning here, and none if the flag is Clang's to judge.
std::optional<std::vector<std::string>> fromGcc(const llvm::opt::Arg &A);

/// Returns whether \p A is a flag about warnings, code, debugging or the
/// machine that Clang does not have and fromGcc() neither.
bool isUnknown(const llvm::opt::Arg &A);

/// Returns the part of the flag \p A that only a linker could do, or null.
const char *ofALinker(const llvm::opt::Arg &A);

} // namespace clinch::engine
