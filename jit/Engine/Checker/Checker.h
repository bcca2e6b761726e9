// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, warnings and advice on a text.

#pragma once

#include "../Options/Plan.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Parses \p Text as a compile does, without generating code.
std::vector<Finding> checkText(const SourceText &Text, const CompileOptions &O,
                               const Plan &P, const CallFacts &Facts);

/// Returns the names, sorted, that Clang's completion offers where \p Text
/// ends, in the middle of a name or before one.
std::vector<std::string> completions(const SourceText &Text, const Plan &P);

} // namespace clinch::engine
