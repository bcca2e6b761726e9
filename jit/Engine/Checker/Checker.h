//===- Checker.h - Errors, warnings and advice on a text --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_CHECKER_H
#define CLINCH_JIT_ENGINE_CHECKER_CHECKER_H

#include "../Options/Plan.h"
#include "../Prefix/PrefixStore.h"
#include "../Survival/Budget.h"
#include "TextChecker.h"

namespace clinch::engine {

/// Parses \p Text as a compile does, without generating code. If \p Limits are
/// exceeded the result is meaningless.
std::vector<Finding> checkText(const SourceText &Text, const CompileOptions &O,
                               const Plan &P, const PrefixUse &Prefix,
                               Budget &Limits);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_CHECKER_H
