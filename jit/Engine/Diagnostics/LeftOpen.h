// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's errors about what is left open.

#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"

#include <optional>
#include <string>
#include <utility>

namespace clinch::engine {

/// Returns the parenthesis after the name of a macro at \p Name.
clang::SourceLocation openingOf(clang::SourceLocation Name,
                                const clang::SourceManager &SM,
                                const clang::LangOptions &LO);

/// If \p Info says that something is open at the end of the file, or closed and
/// never opened: the message for the author of a region, and the place.
std::optional<std::pair<std::string, clang::SourceLocation>>
leftOpen(const clang::Diagnostic &Info, const clang::LangOptions &LO);

} // namespace clinch::engine
