// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a prefix must be made for.

#pragma once

#include "../Files/HeaderArchive.h"

#include "clang/Frontend/CompilerInvocation.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// Changes \p Prefix, the invocation of the baked prefix, to one for \p Text
/// as far as headers can tell: another standard, another ABI, a macro that they
/// test, unless \p PrefixText begins with lines that define or undefine it; and
/// \p WithProcessor.
/// Returns what it changed: nothing if the baked prefix fits, should it be of
/// this text.
std::vector<std::string> adaptPrefix(clang::CompilerInvocation &Prefix,
                                     const clang::CompilerInvocation &Text,
                                     const std::string &PrefixText,
                                     bool WithProcessor,
                                     const HeaderArchive &Baked);

} // namespace clinch::engine
