//===- Checker.h - Errors, warnings and advice on a text --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_CHECKER_H
#define CLINCH_JIT_ENGINE_CHECKER_CHECKER_H

#include "../Options/Plan.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Parses \p Text as a compile does, without generating code.
std::vector<Finding> checkText(const SourceText &Text, const CompileOptions &O,
                               const Plan &P, const CallFacts &Facts);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_CHECKER_H
