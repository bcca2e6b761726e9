//===- FixIts.h - Applying fix-its to a text --------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_FIXITS_H
#define CLINCH_JIT_ENGINE_CHECKER_FIXITS_H

#include "TextChecker.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// See TextChecker::fixed().
Expected<std::string> applyFixes(const SourceText &Text,
                                 const std::vector<LineFix> &Fixes);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_FIXITS_H
