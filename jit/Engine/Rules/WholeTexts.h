//===- WholeTexts.h - Each region is whole in itself -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one author leaves open changes the texts of others. The assembler sees
// what stands in a text itself; here is seen what its macros, the files that it
// includes and its pragmas make of it.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_RULES_WHOLETEXTS_H
#define CLINCH_JIT_ENGINE_RULES_WHOLETEXTS_H

#include "../Diagnostics/RegionMap.h"
#include "NameRules.h"
#include "SupportCode.h"

#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
class IdentifierInfo;
class MacroInfo;
class Sema;
} // namespace clang

namespace clinch::engine {

/// Watches one text while it is read, and reports to its DiagnosticsEngine.
class WholeTexts {
public:
  WholeTexts(clang::CompilerInstance &CI, const RegionMap &Regions);

  /// Follows the brackets of each region. False when one was left open, or
  /// closed that the region had not opened: what comes then means nothing.
  bool accepts(const clang::Token &T);

  /// Finds pragmas of regions that are in force where the text is Clinch's;
  /// \p At is such a place.
  void lookAtPragmas(clang::SourceLocation At);

  /// Names that directives of regions define, undefine or ask for.
  const NamedMacros &namedMacros() const { return Macros; }
  const SupportCode &support() const { return Support; }

private:
  class Directives;

  const Region *regionOf(clang::SourceLocation Loc);
  bool leave(const Region *Entered);
  void lookAtUndefined(const Region *Entered);
  bool close(const clang::Token &T, clang::tok::TokenKind Opening);
  clang::SourceLocation pragmaInForce() const;

  clang::CompilerInstance &CI;
  const RegionMap &Regions;
  clang::FileID File; ///< That the last token was of, if not the main file.
  const Region *Current = nullptr;
  llvm::SmallVector<clang::Token, 16> Open; ///< Brackets of the region.
  /// A header's macro that a region undefines, and should bring back.
  struct Undefined {
    clang::IdentifierInfo *Name;
    const clang::MacroInfo *Macro;
    clang::SourceLocation At;
    const Region *By;
  };
  llvm::SmallVector<Undefined, 2> Undefines;
  clang::SourceLocation LastPragma; ///< Of any region.
  NamedMacros Macros;
  SupportCode Support;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_RULES_WHOLETEXTS_H
