//===- Findings.h - What a check reports, and how it is mended --*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CHECKER_FINDINGS_H
#define CLINCH_JIT_ENGINE_CHECKER_FINDINGS_H

#include "../Diagnostics/RegionMap.h"
#include "TextChecker.h"

#include "clang/Frontend/CompilerInstance.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// Takes what the checks of one text find in its regions.
class Findings {
public:
  Findings(clang::CompilerInstance &CI, const RegionMap &Regions)
      : CI(CI), Regions(Regions) {}

  /// Null where the text is Clinch's own, or a header's.
  const Region *regionAt(clang::SourceLocation Loc) const {
    return Loc.isValid() ? Regions.at(CI.getSourceManager(), Loc) : nullptr;
  }
  /// The same where code runs that may fail.
  const Region *codeAt(clang::SourceLocation Loc) const {
    const Region *R = regionAt(Loc);
    return R && R->Kind == Region::Role::Code ? R : nullptr;
  }

  /// The warning \p Check about \p Loc, which is in a region; a second one of
  /// a place is left out.
  clinch::Diagnostic *add(clang::SourceLocation Loc, const char *Check,
                          std::string Message);
  void note(clinch::Diagnostic &D, clang::SourceLocation Loc,
            std::string Message);
  /// Puts \p Text in place of [\p Begin, \p End), if that is on the line of \p
  /// D and no macro's.
  void fix(clinch::Diagnostic &D, clang::SourceLocation Begin,
           clang::SourceLocation End, const std::string &Text);
  /// Behind the semicolon after \p Last; invalid: there is none, or a macro.
  clang::SourceLocation behindSemicolon(clang::SourceLocation Last) const;

  /// How an author writes `fail` at \p Loc: a C file has a macro.
  std::string failAt(clang::SourceLocation Loc) const;
  std::string textOf(clang::SourceRange Range) const;

  std::vector<Finding> take();

private:
  clang::CompilerInstance &CI;
  const RegionMap &Regions;
  struct Entry {
    clang::SourceLocation Loc;
    Finding F;
  };
  std::vector<std::unique_ptr<Entry>> All;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CHECKER_FINDINGS_H
