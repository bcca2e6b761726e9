//===- DeclarationRules.cpp - What only declares -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeclarationRules.h"

#include "RuleMessages.h"
#include "RuleVisitor.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

#include <algorithm>

using namespace clinch;
using namespace clinch::engine;

namespace {

class DeclarationVisitor : public clang::DynamicRecursiveASTVisitor,
                           RuleVisitor {
public:
  using RuleVisitor::RuleVisitor;

  /// A statement that stands in a region, in a body that does not.
  bool VisitCompoundStmt(clang::CompoundStmt *Body) override {
    if (declaring(Body->getLBracLoc()))
      return true;
    for (clang::Stmt *S : Body->body())
      if (!llvm::isa<clang::DeclStmt, clang::NullStmt>(S) &&
          declaring(S->getBeginLoc()))
        report(S->getBeginLoc(), rules::onlyDeclarations());
    return true;
  }

  bool VisitNamedDecl(clang::NamedDecl *D) override {
    const Region *R = declaring(D->getLocation());
    if (!R || D->isImplicit() || D->getName().empty() || isInner(*D))
      return true;
    std::string Name = D->getName().str();
    if (llvm::isa<clang::VarDecl, clang::FieldDecl>(D))
      Names.insert(Name);
    Names.insert(R->Reserved.begin(), R->Reserved.end());
    if (std::find(R->Reserved.begin(), R->Reserved.end(), Name) !=
        R->Reserved.end())
      report(D->getLocation(), rules::nameReserved(Name));
    else if (Name.find(R->Required) == Name.npos)
      report(D->getLocation(), rules::nameWithout(Name, R->Required));
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D); V && givesValue(*V))
      report(D->getLocation(), rules::noInitialiser(Name));
    return true;
  }

  llvm::StringSet<> Names; ///< Of variables, and those that are reserved.

private:
  const Region *declaring(clang::SourceLocation Loc) const {
    const Region *R = regionAt(Loc);
    return R && R->Kind == Region::Role::Declarations ? R : nullptr;
  }

  /// What is declared inside of a type or function of the same region is out
  /// of everybody's way; enumerators are not.
  bool isInner(const clang::NamedDecl &D) const {
    if (!D.getDeclName().isIdentifier() || llvm::isa<clang::ParmVarDecl>(D))
      return true;
    const clang::DeclContext *Around = D.getLexicalDeclContext();
    if (llvm::isa<clang::EnumDecl>(Around))
      return false;
    const auto *Owner = llvm::dyn_cast<clang::NamedDecl>(Around);
    return Owner && declaring(Owner->getLocation());
  }

  /// Constants that need no code are declarations too.
  static bool givesValue(const clang::VarDecl &V) {
    if (!V.hasInit() || V.isConstexpr() ||
        (V.isStaticLocal() && V.getType().isConstQualified()))
      return false;
    if (const auto *C = llvm::dyn_cast<clang::CXXConstructExpr>(
            V.getInit()->IgnoreUnlessSpelledInSource()))
      return C->getParenOrBraceRange().isValid() || C->getNumArgs() != 0;
    return true;
  }
};

} // namespace

llvm::StringSet<>
clinch::engine::checkDeclarations(llvm::ArrayRef<clang::Decl *> Declarations,
                                  clang::ASTContext &Context,
                                  const RegionMap &Regions, Violations &Found) {
  DeclarationVisitor V(Context, Regions, Found);
  for (clang::Decl *D : Declarations)
    V.TraverseDecl(D);
  return std::move(V.Names);
}
