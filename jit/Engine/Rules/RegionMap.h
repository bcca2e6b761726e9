//===- RegionMap.h - Which piece of the text a place is in -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_REGIONMAP_H
#define CLINCH_JIT_ENGINE_RULES_REGIONMAP_H

#include "clinch/Compiler/Options.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace clinch::engine {

/// Pieces are known by the file name that `#line` gives their lines. A place in
/// a macro is where the macro is used.
class RegionMap {
public:
  explicit RegionMap(const std::vector<Region> &Regions) {
    for (const Region &R : Regions)
      ByName.try_emplace(R.Name, &R);
  }

  const Region *find(llvm::StringRef Name) const { return ByName.lookup(Name); }
  const Region *at(const clang::SourceManager &SM,
                   clang::SourceLocation Loc) const {
    clang::PresumedLoc P = SM.getPresumedLoc(Loc);
    return P.isInvalid() ? nullptr : find(P.getFilename());
  }

private:
  llvm::StringMap<const Region *> ByName;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_REGIONMAP_H
