//===- CompleteRegions.h - Regions complete in themselves -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one author leaves open changes the texts of others. The assembler checks
// each text as written; this checks what its macros, included files and pragmas
// make of it.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_COMPLETEREGIONS_H
#define CLINCH_JIT_ENGINE_RULES_COMPLETEREGIONS_H

#include "../Diagnostics/RegionMap.h"
#include "NameRules.h"

#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
class Sema;
} // namespace clang

namespace clinch::engine {

/// Watches one text while it is parsed, and reports to its DiagnosticsEngine.
class CompleteRegions {
public:
  CompleteRegions(clang::CompilerInstance &CI, const RegionMap &Regions);

  /// Tracks the brackets of each region. Returns false if one is left open, or
  /// closed without being opened: the rest is meaningless.
  bool accepts(const clang::Token &T);

  /// Warns of pragmas of regions that are still in force at \p At, unless that
  /// is in a region.
  void lookAtPragmas(clang::SourceLocation At);

  /// Names that directives of regions define, undefine or test.
  const NamedMacros &namedMacros() const { return Macros; }

private:
  class Directives;

  const Region *regionOf(clang::SourceLocation Loc);
  bool leave();
  bool close(const clang::Token &T, clang::tok::TokenKind Opening);
  clang::SourceLocation pragmaInForce() const;

  clang::CompilerInstance &CI;
  const RegionMap &Regions;
  clang::FileID File; ///< Of the last token, if not the main file.
  const Region *Current = nullptr;
  llvm::SmallVector<clang::Token, 16> Open; ///< The region's open brackets.
  clang::SourceLocation LastPragma;         ///< Of any region.
  NamedMacros Macros;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_COMPLETEREGIONS_H
