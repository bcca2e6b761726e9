//===- RegionMap.h - Whose text a place is in -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DIAGNOSTICS_REGIONMAP_H
#define CLINCH_JIT_ENGINE_DIAGNOSTICS_REGIONMAP_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"

#include <string_view>
#include <vector>

namespace clinch::engine {

/// Finds the region of a place by its position in the main file. What a macro
/// says stands where the macro is used, and what a file says where it is
/// included; `#line` has no say.
class RegionMap {
public:
  /// Regions that overlap, or lie outside of \p Text, are an error.
  static Status check(const std::vector<Region> &Regions,
                      std::string_view Text);

  explicit RegionMap(const std::vector<Region> &Regions);

  bool empty() const { return Sorted.empty(); }
  /// Whether there is one that not all others see.
  bool haveSupport() const;
  const Region *at(const clang::SourceManager &SM,
                   clang::SourceLocation Loc) const;
  /// The region that ends right before \p Loc, which lies in none: between
  /// them are only directives and comments.
  const Region *endingBefore(const clang::SourceManager &SM,
                             const clang::LangOptions &LO,
                             clang::SourceLocation Loc) const;
  /// The last token of \p R; invalid when it has none.
  static clang::SourceLocation lastToken(const Region &R,
                                         const clang::SourceManager &SM,
                                         const clang::LangOptions &LO);

private:
  const Region *at(size_t Offset) const;

  std::vector<const Region *> Sorted;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_DIAGNOSTICS_REGIONMAP_H
