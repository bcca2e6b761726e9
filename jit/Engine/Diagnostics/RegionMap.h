// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an author wrote what a message is about.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/SourceManager.h"

#include <string>
#include <string_view>
#include <vector>

namespace clinch::engine {

/// Finds the region of a location by its offset in the main file. A macro
/// counts where it is used, and a file where it is included; `#line` is
/// ignored.
class RegionMap {
public:
  /// Regions that overlap, or lie outside of \p Text, are an error.
  static Status check(const std::vector<Region> &Regions,
                      std::string_view Text);

  explicit RegionMap(const std::vector<Region> &Regions);

  bool empty() const { return Sorted.empty(); }
  const std::vector<const Region *> &all() const { return Sorted; }
  const Region *at(const clang::SourceManager &SM,
                   clang::SourceLocation Loc) const;
  /// Returns the region before \p Loc, which is in none, if only directives,
  /// comments or a part of the assertion that closes a region lie between them;
  /// else null.
  const Region *endingBefore(const clang::SourceManager &SM,
                             const clang::LangOptions &LO,
                             clang::SourceLocation Loc) const;
  /// Returns the last token of \p R; invalid if it has none.
  static clang::SourceLocation lastToken(const Region &R,
                                         const clang::SourceManager &SM,
                                         const clang::LangOptions &LO);

private:
  const Region *at(size_t Offset) const;

  std::vector<const Region *> Sorted;
};

} // namespace clinch::engine

namespace clang {
class LangOptions;
class SourceManager;
} // namespace clang

namespace clinch::engine {

/// How many nested macros get a note.
constexpr size_t MostMacroNotes = 6;

/// Whether \p Loc is in the prefix or in a system header.
bool isInHeader(const clang::SourceManager &SM, clang::SourceLocation Loc);

/// Returns a message with the name and line that `#line` gives, and the text of
/// the line. A location in a macro means the use of the macro.
clinch::Diagnostic diagnosticAt(const clang::SourceManager &SM,
                                clang::SourceLocation Loc,
                                Diagnostic::Severity Level,
                                std::string Message);

/// The same, with a note for each macro of the text around \p Loc, and for the
/// header's macro that the text names.
clinch::Diagnostic diagnosticInMacros(const clang::SourceManager &SM,
                                      const clang::LangOptions &LO,
                                      clang::SourceLocation Loc,
                                      Diagnostic::Severity Level,
                                      std::string Message);

/// Adds the name of the region \p R to \p D, which is about \p Loc, unless \p D
/// shows it already.
void nameRegion(const clang::SourceManager &SM, clang::SourceLocation Loc,
                const Region &R, clinch::Diagnostic &D);

/// Adds the fix-its of \p Info that are on the line that \p D quotes.
void addFixIts(const clang::SourceManager &SM, const clang::LangOptions &LO,
               const clang::Diagnostic &Info, clinch::Diagnostic &D);

} // namespace clinch::engine
