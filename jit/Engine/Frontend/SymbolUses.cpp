//===- SymbolUses.cpp - Where a text uses what others define ----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolUses.h"

#include "../Diagnostics/Places.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseMap.h"
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

  /// By the first declaration.
  llvm::DenseMap<const clang::Decl *, clang::SourceLocation> Uses;

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
    if (Use != V.Uses.end())
      Found.push_back(diagnosticAt(SM, Use->second, Diagnostic::Severity::Error,
                                   Symbol.getName().str()));
  }
  return Found;
}
