// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of constants as C text.

#pragma once

#include "clang/AST/Decl.h"

#include <string>

namespace clinch::engine {

/// Returns an initialiser that gives \p V the value that it has in constant
/// expressions, whatever the names in its own mean by then. Empty if it has
/// none there, or one that is no number and not made of numbers.
std::string constantInitializer(const clang::VarDecl &V);

} // namespace clinch::engine
