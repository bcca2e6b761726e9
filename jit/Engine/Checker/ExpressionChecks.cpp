//===- ExpressionChecks.cpp - Results and fields --------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"

#include "CallFacts.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clinch;
using namespace clinch::engine;
using namespace clang::ast_matchers;

namespace {

class IgnoredResult : public MatchFinder::MatchCallback {
public:
  explicit IgnoredResult(Findings &Found) : Found(Found) {}

  void run(const MatchFinder::MatchResult &Result) override {
    const auto *Call = Result.Nodes.getNodeAs<clang::CallExpr>("call");
    if (!Found.codeAt(Call->getBeginLoc()))
      return;
    std::string Name =
        calledName(*Call, *Result.SourceManager, Result.Context->getLangOpts());
    if (givesNewReference(Name))
      Found.add(Call->getBeginLoc(), "ignored-result",
                "`" + Name + "` returns a new reference, which is dropped");
    else if (givesStatus(Name))
      addStatus(*Call, Name);
  }

private:
  void addStatus(const clang::CallExpr &Call, const std::string &Name) {
    clang::SourceLocation Begin = Call.getBeginLoc();
    std::string Fail = Found.failAt(Begin);
    clinch::Diagnostic *D = Found.add(
        Begin, "ignored-result",
        "`" + Name + "` may fail, and its result is not checked; write `" +
            Fail + "` where it returns less than 0");
    clang::SourceLocation End = Found.afterSemicolon(Call.getEndLoc());
    if (!D || End.isInvalid() || Begin.isMacroID())
      return;
    Found.fix(*D, Begin, End,
              "if (" + Found.textOf(Call.getSourceRange()) + " < 0) " + Fail);
  }

  Findings &Found;
};

/// Returns the accessor of an array's field, or null if it has none.
const char *accessorOf(llvm::StringRef Field) {
  return llvm::StringSwitch<const char *>(Field)
      .Case("data", "PyArray_BYTES")
      .Case("nd", "PyArray_NDIM")
      .Case("dimensions", "PyArray_DIMS")
      .Case("strides", "PyArray_STRIDES")
      .Case("base", "PyArray_BASE")
      .Case("descr", "PyArray_DESCR")
      .Case("flags", "PyArray_FLAGS")
      .Default(nullptr);
}

class ArrayField : public MatchFinder::MatchCallback {
public:
  explicit ArrayField(Findings &Found) : Found(Found) {}

  void run(const MatchFinder::MatchResult &Result) override {
    const auto *E = Result.Nodes.getNodeAs<clang::MemberExpr>("field");
    bool IsRead = Result.Nodes.getNodeAs<clang::Expr>("read");
    const clang::SourceManager &SM = *Result.SourceManager;
    // NumPy's own macros may use fields.
    if (SM.isLoadedSourceLocation(SM.getSpellingLoc(E->getMemberLoc())))
      return;
    const char *Accessor = accessorOf(E->getMemberDecl()->getName());
    std::string Message = "the field `" + E->getMemberDecl()->getName().str() +
                          "` of an array is NumPy's own since version 1.7";
    if (Accessor)
      Message += std::string("; use `") + Accessor + "`";
    clinch::Diagnostic *D =
        Found.add(E->getMemberLoc(), "numpy-field", std::move(Message));
    if (!D || !Accessor || !IsRead || !E->isArrow())
      return;
    const clang::Expr *Base = E->getBase()->IgnoreParens();
    Found.fix(*D, E->getBeginLoc(),
              E->getMemberLoc().getLocWithOffset(
                  int(E->getMemberDecl()->getName().size())),
              std::string(Accessor) + "(" +
                  Found.textOf(Base->getSourceRange()) + ")");
  }

private:
  Findings &Found;
};

} // namespace

void clinch::engine::checkExpressions(
    llvm::ArrayRef<clang::Decl *> Declarations, clang::ASTContext &Context,
    Findings &Found) {
  IgnoredResult Ignored(Found);
  ArrayField Field(Found);
  MatchFinder Finder;
  StatementMatcher Call = expr(ignoringParenCasts(callExpr().bind("call")));
  Finder.addMatcher(compoundStmt(forEach(Call)), &Ignored);
  Finder.addMatcher(ifStmt(anyOf(hasThen(Call), hasElse(Call))), &Ignored);
  Finder.addMatcher(stmt(anyOf(forStmt(hasBody(Call)), whileStmt(hasBody(Call)),
                               labelStmt(has(Call)), switchCase(has(Call)))),
                    &Ignored);
  auto Member = memberExpr(member(fieldDecl(
      hasDeclContext(recordDecl(hasName("tagPyArrayObject_fields"))))));
  Finder.addMatcher(
      traverse(clang::TK_AsIs,
               memberExpr(Member, optionally(hasParent(
                                      implicitCastExpr(
                                          hasCastKind(clang::CK_LValueToRValue))
                                          .bind("read"))))
                   .bind("field")),
      &Field);
  // Skip the thousands of declarations in the prefix.
  Context.setTraversalScope(Declarations);
  Finder.matchAST(Context);
}
