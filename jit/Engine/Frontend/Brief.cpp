// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return at once.

#include "Brief.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Builtins.h"

using namespace clinch;

namespace {

bool isOfMathematics(const clang::CallExpr &Call) {
  const clang::FunctionDecl *F = Call.getDirectCallee();
  const unsigned ID = F ? F->getBuiltinID() : 0;
  if (!ID)
    return false;
  const clang::Builtin::Context &Known = F->getASTContext().BuiltinInfo;
  const char *Header = Known.getHeaderName(ID);
  return Header && llvm::StringRef(Header) == "math.h";
}

bool isPlain(const clang::DeclStmt &S) {
  return llvm::all_of(S.decls(), [](const clang::Decl *D) {
    const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
    return V && V->hasLocalStorage() && V->getType()->isScalarType();
  });
}

bool isPlainKind(const clang::Stmt &S) {
  using namespace clang;
  if (const auto *Call = llvm::dyn_cast<CallExpr>(&S))
    return Call->getStmtClass() == Stmt::CallExprClass &&
           isOfMathematics(*Call);
  if (const auto *Declares = llvm::dyn_cast<DeclStmt>(&S))
    return isPlain(*Declares);
  return llvm::isa<CompoundStmt, ReturnStmt, IfStmt, NullStmt,
                   ConditionalOperator, BinaryOperator, UnaryOperator,
                   ParenExpr, ImplicitCastExpr, CStyleCastExpr, DeclRefExpr,
                   MemberExpr, ArraySubscriptExpr, IntegerLiteral,
                   FloatingLiteral, CharacterLiteral, ConstantExpr,
                   UnaryExprOrTypeTraitExpr, CXXBoolLiteralExpr>(S);
}

// NOLINTNEXTLINE(misc-no-recursion): statements nest
bool isPlainTree(const clang::Stmt *S) {
  return !S || (isPlainKind(*S) && llvm::all_of(S->children(), isPlainTree));
}

} // namespace

bool engine::isBrief(const clang::FunctionDecl &F) {
  return F.getBody() && isPlainTree(F.getBody());
}
