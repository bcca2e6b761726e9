// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of expressions, and the macros of older texts.

#include "ExpressionChecks.h"
#include "Uses.h"

#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

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
    if (Found.facts().NewReference.contains(Name))
      Found.add(Call->getBeginLoc(), "ignored-result",
                "`" + Name + "` returns a new reference, which is dropped");
    else if (Found.facts().Status.contains(Name))
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

class StructField : public MatchFinder::MatchCallback {
public:
  explicit StructField(Findings &Found) : Found(Found) {}

  void run(const MatchFinder::MatchResult &Result) override {
    const auto *E = Result.Nodes.getNodeAs<clang::MemberExpr>("field");
    bool IsRead = Result.Nodes.getNodeAs<clang::Expr>("read");
    const clang::SourceManager &SM = *Result.SourceManager;
    // The library's own macros may use fields.
    if (SM.isLoadedSourceLocation(SM.getSpellingLoc(E->getMemberLoc())))
      return;
    const auto &Fields = Found.facts().Fields;
    const std::string Name = E->getMemberDecl()->getName().str();
    const auto Instead = Fields.Accessors.find(Name);
    const std::string Accessor =
        Instead == Fields.Accessors.end() ? "" : Instead->second;
    std::string Message = "the field `" + Name + "` " + Fields.Why;
    if (!Accessor.empty())
      Message += "; use `" + Accessor + "`";
    clinch::Diagnostic *D =
        Found.add(E->getMemberLoc(), Fields.Check, std::move(Message));
    if (!D || Accessor.empty() || !IsRead || !E->isArrow())
      return;
    const clang::Expr *Base = E->getBase()->IgnoreParens();
    Found.fix(*D, E->getBeginLoc(),
              E->getMemberLoc().getLocWithOffset(int(Name.size())),
              Accessor + "(" + Found.textOf(Base->getSourceRange()) + ")");
  }

private:
  Findings &Found;
};

} // namespace

void clinch::engine::checkExpressions(
    llvm::ArrayRef<clang::Decl *> Declarations, clang::ASTContext &Context,
    Findings &Found) {
  IgnoredResult Ignored(Found);
  StructField Field(Found);
  MatchFinder Finder;
  StatementMatcher Call = expr(ignoringParenCasts(callExpr().bind("call")));
  Finder.addMatcher(compoundStmt(forEach(Call)), &Ignored);
  Finder.addMatcher(ifStmt(anyOf(hasThen(Call), hasElse(Call))), &Ignored);
  Finder.addMatcher(stmt(anyOf(forStmt(hasBody(Call)), whileStmt(hasBody(Call)),
                               labelStmt(has(Call)), switchCase(has(Call)))),
                    &Ignored);
  auto Member = memberExpr(member(fieldDecl(
      hasDeclContext(recordDecl(hasName(Found.facts().Fields.Struct))))));
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

namespace {

class MacroWatcher : public clang::PPCallbacks {
public:
  MacroWatcher(clang::CompilerInstance &CI, Findings &Found)
      : SM(CI.getSourceManager()), PP(CI.getPreprocessor()), Found(Found) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &MD,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::MacroInfo *Macro = MD.getMacroInfo();
    clang::SourceLocation Loc = Name.getLocation();
    if (!Macro || Loc.isMacroID() || !Found.regionAt(Loc) ||
        !SM.getFilename(Macro->getDefinitionLoc())
             .ends_with(Found.facts().Macros.Header))
      return;
    std::string Old = Name.getIdentifierInfo()->getName().str();
    std::string New = nameIn(*Macro);
    clinch::Diagnostic *D =
        Found.add(Loc, Found.facts().Macros.Check,
                  "`" + Old + "` " + Found.facts().Macros.Why +
                      (New.empty() ? "" : "; write `" + New + "`"));
    if (D && !New.empty())
      Found.fix(*D, Loc, Loc.getLocWithOffset(int(Old.size())), New);
  }

private:
  /// Returns the one name that the macro expands to, or an empty string.
  std::string nameIn(const clang::MacroInfo &Macro) const {
    if (!Macro.isObjectLike() || Macro.getNumTokens() != 1 ||
        !Macro.getReplacementToken(0).is(clang::tok::identifier))
      return {};
    return PP.getSpelling(Macro.getReplacementToken(0));
  }

  const clang::SourceManager &SM;
  clang::Preprocessor &PP;
  Findings &Found;
};

} // namespace

void clinch::engine::watchDeprecatedMacros(clang::CompilerInstance &CI,
                                           Findings &Found) {
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<MacroWatcher>(CI, Found));
}
