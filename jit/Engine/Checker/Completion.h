//===- Completion.h - What may stand at the end of a text -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_COMPLETION_H
#define CLINCH_JIT_ENGINE_CHECKER_COMPLETION_H

#include "../Options/Plan.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Returns the names, sorted, that Clang's completion offers where \p Text
/// ends, in the middle of a name or before one.
std::vector<std::string> completions(const SourceText &Text, const Plan &P);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_COMPLETION_H
