// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prefix must be made for.

#pragma once

#include "../Files/HeaderArchive.h"

#include "clang/Frontend/CompilerInvocation.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// Changes \p Prefix, the invocation of the baked prefix, to one for \p Text
/// as far as headers can tell: another standard, another ABI; and \p
/// WithProcessor. Leaves the macros. Returns what it changed: nothing if the
/// baked prefix fits, should it be of this text.
std::vector<std::string> adaptPrefix(clang::CompilerInvocation &Prefix,
                                     const clang::CompilerInvocation &Text,
                                     const std::string &PrefixText,
                                     bool WithProcessor,
                                     const HeaderArchive &Baked);

/// A macro that a text is compiled with (`NAME` or `NAME=VALUE`), or without.
using Macro = std::pair<std::string, bool /*IsUndefined*/>;

/// Returns whether \p M may change what the text \p Prefix means, in whose
/// headers are \p Names; see BuiltPrefix. It does not if the text begins with
/// lines that define or undefine it.
bool mayChange(const Macro &M, llvm::StringRef Prefix, llvm::StringRef Names);

} // namespace clinch::engine
