// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Applying fix-its to a text.

#pragma once

#include "TextChecker.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// See TextChecker::fixed().
Expected<std::string> applyFixes(const SourceText &Text,
                                 const std::vector<LineFix> &Fixes);

} // namespace clinch::engine
