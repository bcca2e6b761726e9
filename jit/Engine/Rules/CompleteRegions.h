// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Directives, and regions that must be whole.
//
// What one author leaves open changes the texts of others. Clang reads them all
// as one text, so this watches what crosses the end of a region, whether it is
// written there or comes from a macro or an included file.

#pragma once

#include "../Diagnostics/RegionMap.h"
#include "NameRules.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace clinch::engine {

class Directives;

/// Watches one text while it is parsed, and reports to its DiagnosticsEngine.
class CompleteRegions : public clang::CommentHandler {
public:
  CompleteRegions(clang::CompilerInstance &CI, const RegionMap &Regions);

  /// Sees each token of the text. Returns false if what follows is meaningless,
  /// as a region has left something open or has closed what is not its own.
  bool accepts(const clang::Token &T);

  Directives &directives() { return Watched; }

private:
  bool HandleComment(clang::Preprocessor &PP,
                     clang::SourceRange Comment) override;
  const Region *regionOf(clang::SourceLocation Loc);
  void enter(const Region *R);
  void look(const clang::Token &T);
  void close(const clang::Token &T, clang::tok::TokenKind Opening);
  void lookAtLiteral(const clang::Token &T);
  void lookForKey(const clang::Token &Percent);
  bool isDeclared(llvm::StringRef Name);
  void forgetLabels();
  void fail(clang::SourceLocation Loc, const std::string &Message);

  clang::CompilerInstance &CI;
  const RegionMap &Regions;
  Directives &Watched; ///< The preprocessor's own.
  clang::FileID File;  ///< Of the last token, if not the main file.
  const Region *Current = nullptr;
  llvm::SmallVector<clang::Token, 16> Open; ///< The region's open brackets.
  bool HasLabels = false; ///< A region since the last look may have some.
};

} // namespace clinch::engine

namespace clang {
class CompilerInstance;
} // namespace clang

namespace clinch::engine {

/// Reports \p Message through the DiagnosticsEngine of \p CI.
void report(clang::CompilerInstance &CI, clang::SourceLocation Loc,
            clang::DiagnosticsEngine::Level Level, const std::string &Message);

/// Watches the macros, conditions and pragmas of regions while a text is read.
class Directives : public clang::PPCallbacks {
public:
  Directives(clang::CompilerInstance &CI, const RegionMap &Regions);

  /// Reports a macro that a declaration has left defined, unless \p Current is
  /// its region.
  void leaveMacros(const Region *Current);
  /// Warns of pragmas of regions that are still in force at \p At, unless that
  /// is in a region.
  void lookAtPragmas(clang::SourceLocation At);
  /// Names that directives of regions define, undefine or test.
  const NamedMacros &namedMacros() const { return Macros; }

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange Range,
                    const clang::MacroArgs *Arguments) override;
  void MacroDefined(const clang::Token &Name,
                    const clang::MacroDirective *) override;
  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    note(Name);
  }
  void Defined(const clang::Token &Name, const clang::MacroDefinition &,
               clang::SourceRange) override {
    note(Name);
  }
  void Ifdef(clang::SourceLocation, const clang::Token &Name,
             const clang::MacroDefinition &) override {
    note(Name);
  }
  void Ifndef(clang::SourceLocation, const clang::Token &Name,
              const clang::MacroDefinition &) override {
    note(Name);
  }
  void Endif(clang::SourceLocation Loc, clang::SourceLocation If) override;
  void PragmaDirective(clang::SourceLocation Loc,
                       clang::PragmaIntroducerKind) override;

private:
  void note(const clang::Token &Name);
  bool isOurs(clang::SourceLocation Loc) const;
  clang::SourceLocation pragmaInForce() const;

  clang::CompilerInstance &CI;
  const clang::SourceManager &SM;
  const RegionMap &Regions;
  NamedMacros Macros;
  NamedMacros Declared;             ///< Those that declarations define.
  clang::SourceLocation LastPragma; ///< Of any region.
};

} // namespace clinch::engine
