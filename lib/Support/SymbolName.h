// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an author calls a symbol.

#pragma once

#include <string>

namespace clinch {

/// Returns a symbol of C++ as its author wrote it, without parameters; of a
/// variable in a function the last part.
std::string symbolName(const std::string &Symbol);

} // namespace clinch
