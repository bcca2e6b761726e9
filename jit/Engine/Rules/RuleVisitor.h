// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the rule visitors.

#pragma once

#include "../Diagnostics/DiagnosticCollector.h"
#include "../Diagnostics/RegionMap.h"
#include "RuleChecker.h"

#include "clang/AST/ASTContext.h"

namespace clinch::engine {

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
