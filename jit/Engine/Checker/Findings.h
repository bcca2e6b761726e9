// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings, and the edits that mend them.

#pragma once

#include "../Diagnostics/RegionMap.h"
#include "TextChecker.h"

#include "clang/Frontend/CompilerInstance.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// Collects what the checks of one text find in its regions.
class Findings {
public:
  Findings(clang::CompilerInstance &CI, const RegionMap &Regions,
           const CallFacts &Facts)
      : CI(CI), Regions(Regions), Facts(Facts) {}

  const CallFacts &facts() const { return Facts; }

  /// Returns null if \p Loc is in Clinch's own text or in a header.
  const Region *regionAt(clang::SourceLocation Loc) const {
    return Loc.isValid() ? Regions.at(CI.getSourceManager(), Loc) : nullptr;
  }
  /// Returns the region if it is code that may fail, or null.
  const Region *codeAt(clang::SourceLocation Loc) const {
    const Region *R = regionAt(Loc);
    return R && R->Kind == Region::Role::Code ? R : nullptr;
  }

  /// Adds the warning \p Check at \p Loc. Returns null if \p Loc is in no
  /// region or has this warning already; take() ends the result's lifetime.
  clinch::Diagnostic *add(clang::SourceLocation Loc, const std::string &Check,
                          std::string Message);
  void note(clinch::Diagnostic &D, clang::SourceLocation Loc,
            std::string Message);
  /// Adds a fix-it that replaces [\p Begin, \p End) by \p Text, if that is on
  /// the line of \p D and in no macro.
  void fix(clinch::Diagnostic &D, clang::SourceLocation Begin,
           clang::SourceLocation End, const std::string &Text);
  /// Returns the end of the `;` after \p Last; invalid if none or in a macro.
  clang::SourceLocation afterSemicolon(clang::SourceLocation Last) const;

  /// How the text writes `fail` at \p Loc: a C file has a macro.
  std::string failAt(clang::SourceLocation Loc) const;
  std::string textOf(clang::SourceRange Range) const;

  std::vector<Finding> take();

private:
  clang::CompilerInstance &CI;
  const RegionMap &Regions;
  const CallFacts &Facts;
  struct Entry {
    clang::SourceLocation Loc;
    Finding F;
  };
  std::vector<std::unique_ptr<Entry>> All;
};

/// See TextChecker::fixed().
Expected<std::string> applyFixes(const SourceText &Text,
                                 const std::vector<LineFix> &Fixes);

} // namespace clinch::engine
