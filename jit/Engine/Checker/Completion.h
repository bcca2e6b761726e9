// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may stand at the end of a text.

#pragma once

#include "../Options/Plan.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Returns the names, sorted, that Clang's completion offers where \p Text
/// ends, in the middle of a name or before one.
std::vector<std::string> completions(const SourceText &Text, const Plan &P);

} // namespace clinch::engine
