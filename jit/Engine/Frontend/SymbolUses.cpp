// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a text says of its symbols: which it uses, which are leaf functions.

#include "SymbolUses.h"
#include "../Diagnostics/RegionMap.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Frontend/OpenMP/OMP.h"
#include "llvm/IR/Module.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

class UseVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override {
    return note(*E->getDecl(), E->getLocation());
  }
  bool VisitMemberExpr(clang::MemberExpr *E) override {
    return note(*E->getMemberDecl(), E->getMemberLoc());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *E) override {
    return note(*E->getConstructor(), E->getLocation());
  }
  bool VisitOMPExecutableDirective(clang::OMPExecutableDirective *E) override {
    const llvm::StringRef Name = llvm::omp::getOpenMPDirectiveName(
        E->getDirectiveKind(), llvm::omp::FallbackVersion);
    Regions.emplace_back(Name, E->getBeginLoc());
    return true;
  }

  /// Returns the pragma of OpenMP for which Clang calls \p Symbol: the first
  /// with a word of the name, or the first of all.
  clang::SourceLocation pragmaOf(llvm::StringRef Symbol) const {
    if (!Symbol.starts_with("__kmpc_") || Regions.empty())
      return {};
    for (const auto &[Name, At] : Regions)
      for (llvm::StringRef Word : llvm::split(Name, ' '))
        if (Symbol.contains(Word))
          return At;
    return Regions.front().second;
  }

  /// By the first declaration.
  llvm::DenseMap<const clang::Decl *, clang::SourceLocation> Uses;
  std::vector<std::pair<llvm::StringRef, clang::SourceLocation>> Regions;

private:
  bool note(const clang::NamedDecl &D, clang::SourceLocation At) {
    if (D.hasExternalFormalLinkage())
      Uses.try_emplace(D.getCanonicalDecl(), At);
    return true;
  }
};

} // namespace

std::vector<Diagnostic> clinch::engine::symbolUses(clang::CompilerInstance &CI,
                                                   clang::CodeGenerator &G) {
  const clang::SourceManager &SM = CI.getSourceManager();
  UseVisitor V;
  auto *Text = CI.getASTContext().getTranslationUnitDecl();
  for (clang::Decl *D : Text->noload_decls())
    if (!D->isFromASTFile() && SM.isInMainFile(D->getLocation()))
      V.TraverseDecl(D);
  std::vector<Diagnostic> Found;
  for (const llvm::GlobalValue &Symbol : G.GetModule()->global_values()) {
    const clang::Decl *D = Symbol.isDeclaration()
                               ? G.GetDeclForMangledName(Symbol.getName())
                               : nullptr;
    auto Use = D ? V.Uses.find(D->getCanonicalDecl()) : V.Uses.end();
    const clang::SourceLocation At =
        Use != V.Uses.end() ? Use->second : V.pragmaOf(Symbol.getName());
    if (At.isValid())
      Found.push_back(diagnosticAt(SM, At, Diagnostic::Severity::Error,
                                   Symbol.getName().str()));
  }
  return Found;
}

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
