//===- Signatures.cpp - The functions of a text -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signatures.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"

#include <algorithm>
#include <vector>

using namespace clinch::engine;

namespace {

class SignatureWriter : public clang::ASTConsumer {
public:
  explicit SignatureWriter(std::string &Lines) : Lines(Lines) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      collect(D);
    return true;
  }

  /// Whether others see a function is known at the end.
  void HandleTranslationUnit(clang::ASTContext &C) override {
    if (C.getDiagnostics().hasErrorOccurred())
      return;
    clang::PrintingPolicy Policy = C.getPrintingPolicy();
    Policy.SuppressTagKeyword = true;
    clang::ASTNameGenerator Symbols(C);
    for (const clang::FunctionDecl *F : Functions)
      if (C.GetGVALinkageForFunction(F) == clang::GVA_StrongExternal)
        write(*F, Symbols.getName(F), Policy);
  }

private:
  // NOLINTNEXTLINE(misc-no-recursion): namespaces nest
  void collect(clang::Decl *D) {
    if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
        F && F->isThisDeclarationADefinition() && !F->isDependentContext() &&
        !llvm::isa<clang::CXXMethodDecl>(F))
      Functions.push_back(F);
    if (llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(D))
      for (clang::Decl *Inner : llvm::cast<clang::DeclContext>(D)->decls())
        collect(Inner);
  }

  void write(const clang::FunctionDecl &F, std::string Symbol,
             const clang::PrintingPolicy &Policy) {
    add(std::move(Symbol));
    add(F.getQualifiedNameAsString());
    add(F.isVariadic() ? "..." : "");
    addType(F.getReturnType(), Policy);
    for (const clang::ParmVarDecl *P : F.parameters())
      addType(P->getType(), Policy);
    Lines.back() = '\n';
  }

  /// Adds a type as it is called, and as the author wrote it.
  void addType(clang::QualType T, const clang::PrintingPolicy &Policy) {
    clang::QualType Plain = T.getCanonicalType().getUnqualifiedType();
    if (const auto *E = Plain->getAsEnumDecl())
      Plain = E->getIntegerType().getCanonicalType();
    add(Plain.getAsString(Policy));
    add(T.getUnqualifiedType().getAsString(Policy));
  }

  /// A type without a name is printed with its text's name.
  void add(std::string Field) {
    std::replace_if(
        Field.begin(), Field.end(),
        [](char A) { return A == '\t' || A == '\n'; }, ' ');
    Lines += Field + '\t';
  }

  std::string &Lines;
  std::vector<const clang::FunctionDecl *> Functions;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
clinch::engine::createSignatureWriter(std::string &Lines) {
  return std::make_unique<SignatureWriter>(Lines);
}
