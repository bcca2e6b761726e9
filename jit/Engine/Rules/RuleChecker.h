// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks authors' code against the rules.

#pragma once

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Diagnostics/RegionMap.h"
#include "clinch/Compiler/Options.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"

#include <memory>
#include <vector>

namespace clinch::engine {

class CompleteRegions;

/// The broken rules that were found.
using Violations = std::vector<clinch::Diagnostic>;

/// Returns a consumer that checks every declaration outside of the prefix at
/// the end of the text, even if the text has errors.
std::unique_ptr<clang::ASTConsumer> createRuleChecker(const CompileOptions &O,
                                                      const RegionMap &Regions,
                                                      CompleteRegions &Texts,
                                                      Violations &Found);

/// Adds the broken rules that Clang found itself (\p ByClang) to \p Found.
/// Drops from \p Errors those on a line with a broken rule.
void mergeViolations(std::vector<clinch::Diagnostic> ByClang,
                     std::vector<clinch::Diagnostic> &Errors,
                     Violations &Found);

/// Finds the region of a location, and records what breaks a rule there.
class RuleVisitor {
public:
  RuleVisitor(clang::ASTContext &Context, const RegionMap &Regions,
              Violations &Found)
      : SM(Context.getSourceManager()), LO(Context.getLangOpts()),
        Regions(Regions), Found(Found) {}

protected:
  const Region *regionAt(clang::SourceLocation Loc) const {
    return Loc.isValid() ? Regions.at(SM, Loc) : nullptr;
  }
  void report(clang::SourceLocation Loc, std::string Message) {
    Found.push_back(diagnosticInMacros(SM, LO, Loc, Diagnostic::Severity::Error,
                                       std::move(Message)));
    nameRegion(SM, Loc, *regionAt(Loc), Found.back());
  }

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;

private:
  const RegionMap &Regions;
  Violations &Found;
};

} // namespace clinch::engine
