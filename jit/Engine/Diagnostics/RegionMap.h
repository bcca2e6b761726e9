// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which region a location is in.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"

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
