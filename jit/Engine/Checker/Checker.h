// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors, warnings and advice on a text.

#pragma once

#include "../Options/Plan.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Parses \p Text as a compile does, without generating code.
std::vector<Finding> checkText(const SourceText &Text, const CompileOptions &O,
                               const Plan &P, const CallFacts &Facts);

} // namespace clinch::engine
