// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions complete in themselves.
//
// What one author leaves open changes the texts of others. Clang reads them all
// as one text, so this watches what crosses the end of a region, whether it is
// written there or comes from a macro or an included file.

#pragma once

#include "../Diagnostics/RegionMap.h"

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
