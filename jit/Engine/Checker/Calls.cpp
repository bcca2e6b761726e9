// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call does.

#include "Calls.h"

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clinch;
using namespace clinch::engine;

std::string clinch::engine::calledName(const clang::CallExpr &Call,
                                       const clang::SourceManager &SM,
                                       const clang::LangOptions &LO) {
  if (const clang::FunctionDecl *F = Call.getDirectCallee()) {
    llvm::StringRef Name =
        F->getDeclName().isIdentifier() ? F->getName() : llvm::StringRef();
    // A macro may make `_NAME_SizeT` of a function of the host's interpreter.
    if (Name.consume_back("_SizeT"))
      Name.consume_front("_");
    return Name.str();
  }
  clang::SourceLocation Loc = Call.getCallee()->getBeginLoc();
  if (!Loc.isMacroID())
    return {};
  return clang::Lexer::getImmediateMacroName(Loc, SM, LO).str();
}

const clang::CallExpr *clinch::engine::callIn(const clang::Expr *E) {
  return E ? llvm::dyn_cast<clang::CallExpr>(E->IgnoreParenCasts()) : nullptr;
}

Argument clinch::engine::argumentOf(const CallFacts &Facts,
                                    llvm::StringRef Function, unsigned Index) {
  const std::string_view Name(Function.data(), Function.size());
  if (auto Taken = Facts.Takes.find(Name);
      Taken != Facts.Takes.end() && Taken->second == Index)
    return Argument::Taken;
  const bool Borrows =
      llvm::any_of(Facts.Beginnings,
                   [&](const std::string &B) { return Name.starts_with(B); });
  return Borrows && !Facts.Unsure.contains(Name) ? Argument::Borrowed
                                                 : Argument::Unknown;
}
