//===- RuleChecker.h - What a piece of text must not do -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_RULECHECKER_H
#define CLINCH_JIT_ENGINE_RULES_RULECHECKER_H

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Diagnostics/RegionMap.h"
#include "clinch/Compiler/Options.h"

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <vector>

namespace clinch::engine {

class WholeTexts;

/// What was found, in the order of the text.
using Violations = std::vector<clinch::Diagnostic>;

/// Looks at every declaration that does not come from the prefix; runs at the
/// end of the text, also when the text has errors.
std::unique_ptr<clang::ASTConsumer> createRuleChecker(const CompileOptions &O,
                                                      const RegionMap &Regions,
                                                      WholeTexts &Texts,
                                                      Violations &Found);

/// Adds the \p ByClang, which Clang found by itself, to \p Found, and leaves
/// out what it says about a line of which a rule says more.
void mergeViolations(std::vector<clinch::Diagnostic> ByClang,
                     std::vector<clinch::Diagnostic> &Errors,
                     Violations &Found);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_RULECHECKER_H
