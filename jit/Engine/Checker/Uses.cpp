// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, and how values are used.

#include "Uses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clinch;
using namespace clinch::engine;

const clang::ValueDecl *clinch::engine::variableIn(const clang::Expr *E) {
  if (!E)
    return nullptr;
  E = E->IgnoreParenCasts();
  if (const auto *Name = llvm::dyn_cast<clang::DeclRefExpr>(E))
    return llvm::dyn_cast<clang::VarDecl>(Name->getDecl());
  const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E);
  if (!Member)
    return nullptr;
  const clang::Expr *Base = Member->getBase()->IgnoreParenCasts();
  bool OfState = llvm::isa<clang::CXXThisExpr, clang::DeclRefExpr>(Base);
  return OfState ? Member->getMemberDecl() : nullptr;
}

bool clinch::engine::mentions(const clang::Stmt &S, const clang::ValueDecl &V) {
  if (const auto *E = llvm::dyn_cast<clang::Expr>(&S))
    if (variableIn(E) == &V)
      return true;
  return llvm::any_of(S.children(), [&](const clang::Stmt *Child) {
    return Child && mentions(*Child, V);
  });
}

static bool isNull(const clang::Expr &E, clang::ASTContext &Context) {
  return E.isNullPointerConstant(Context,
                                 clang::Expr::NPC_ValueDependentIsNotNull) !=
         clang::Expr::NPCK_NotNull;
}

/// Whether \p E is the variable or an assignment to it.
static bool isOrBecomes(const clang::Expr *E, const clang::ValueDecl &V) {
  E = E->IgnoreParenCasts();
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E);
      B && B->getOpcode() == clang::BO_Assign)
    E = B->getLHS();
  return variableIn(E) == &V;
}

std::optional<bool> clinch::engine::saysNull(const clang::Expr &Condition,
                                             const clang::ValueDecl &V,
                                             clang::ASTContext &Context) {
  const clang::Expr *E = Condition.IgnoreParenCasts();
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E);
      U && U->getOpcode() == clang::UO_LNot) {
    std::optional<bool> Inner = saysNull(*U->getSubExpr(), V, Context);
    return Inner ? std::optional(!*Inner) : std::nullopt;
  }
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E)) {
    // __builtin_expect(x == NULL, 0)
    const clang::FunctionDecl *F = Call->getDirectCallee();
    bool Expects = F && F->getBuiltinID() == clang::Builtin::BI__builtin_expect;
    return Expects ? saysNull(*Call->getArg(0), V, Context) : std::nullopt;
  }
  if (isOrBecomes(E, V))
    return false;
  const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E);
  if (!B || !B->isEqualityOp())
    return std::nullopt;
  bool Left = isOrBecomes(B->getLHS(), V) && isNull(*B->getRHS(), Context);
  bool Right = isOrBecomes(B->getRHS(), V) && isNull(*B->getLHS(), Context);
  if (!Left && !Right)
    return std::nullopt;
  return B->getOpcode() == clang::BO_EQ;
}

static Use useAsArgument(const clang::CallExpr &Call, const clang::Stmt *Child,
                         clang::ASTContext &Context, const CallFacts &Facts) {
  for (unsigned I = 0; I != Call.getNumArgs(); ++I) {
    if (Call.getArg(I) != Child)
      continue;
    std::string Name =
        calledName(Call, Context.getSourceManager(), Context.getLangOpts());
    switch (argumentOf(Facts, Name, I)) {
    case Argument::Borrowed:
      return Facts.TakesNull.contains(Name) ? Use::Tested : Use::Borrowed;
    case Argument::Taken:
    case Argument::Unknown:
      return Use::Given;
    }
  }
  return Use::Given;
}

static Use useInOperator(const clang::BinaryOperator &B,
                         const clang::Stmt *Child) {
  if (B.isComparisonOp() || B.isLogicalOp())
    return Use::Tested;
  if (B.getOpcode() == clang::BO_Assign && B.getLHS() == Child)
    return Use::Replaced;
  return Use::Given;
}

Use Uses::of(const clang::Stmt &S, const clang::ValueDecl &V) {
  const auto *E = llvm::dyn_cast<clang::Expr>(&S);
  bool IsName = E && llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(E) &&
                variableIn(E) == &V;
  if (!IsName)
    return Use::None;
  const clang::Stmt *Child = E;
  const clang::Stmt *Parent = Parents.getParent(E);
  while (Parent && llvm::isa<clang::CastExpr, clang::ParenExpr>(Parent)) {
    Child = Parent;
    Parent = Parents.getParent(Parent);
  }
  if (!Parent)
    return Use::Given;
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(Parent))
    return useAsArgument(*Call, Child, Context, Facts);
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(Parent))
    return useInOperator(*B, Child);
  if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(Parent))
    return U->getOpcode() == clang::UO_LNot    ? Use::Tested
           : U->getOpcode() == clang::UO_Deref ? Use::Needed
                                               : Use::Given;
  if (const auto *M = llvm::dyn_cast<clang::MemberExpr>(Parent))
    return M->isArrow() ? Use::Needed : Use::Given;
  if (llvm::isa<clang::ArraySubscriptExpr>(Parent))
    return Use::Needed;
  if (llvm::isa<clang::IfStmt, clang::WhileStmt, clang::ForStmt>(Parent))
    return Use::Tested;
  if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(Parent))
    return C->getCond() == Child ? Use::Tested : Use::Given;
  return Use::Given;
}

bool Uses::isOwnStatement(const clang::Expr &E) const {
  const clang::Stmt *Parent = Parents.getParent(&E);
  while (Parent && llvm::isa<clang::CastExpr, clang::ExprWithCleanups>(Parent))
    Parent = Parents.getParent(Parent);
  return Parent && llvm::isa<clang::CompoundStmt>(Parent);
}

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
