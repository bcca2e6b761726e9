//===- TypeWriter.cpp - The types and variables of a text -----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeWriter.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace clinch::engine;

/// What a host need not understand: it may hold an address of one.
static const char *const Unknown = "?";

static std::string nameOf(const clang::TagDecl &D) {
  if (const clang::TypedefNameDecl *T = D.getTypedefNameForAnonDecl())
    return T->getQualifiedNameAsString();
  return D.getDeclName() ? D.getQualifiedNameAsString() : "";
}

void TypeWriter::addFunction(const clang::FunctionDecl &F,
                             const std::string &Symbol) {
  std::string Line = "f\t" + Symbol + '\t' + type(F.getReturnType());
  for (const clang::ParmVarDecl *P : F.parameters())
    Line += '\t' + type(P->getType());
  Lines += Line + '\n';
}

void TypeWriter::addVariable(const clang::VarDecl &V,
                             const std::string &Symbol) {
  const bool IsConstant = V.getType().isConstant(C);
  Lines += "v\t" + Symbol + '\t' + V.getQualifiedNameAsString() + '\t' +
           (IsConstant ? "const" : "") + '\t' + type(V.getType()) + '\n';
}

void TypeWriter::addTag(const clang::TagDecl &D) {
  if (!nameOf(D).empty() && isDescribed(D))
    tag(D);
}

std::string TypeWriter::lines() {
  // A type may name others, which come behind it.
  for (size_t I = 0; I < Tags.size(); ++I)
    if (const auto *R = llvm::dyn_cast<clang::RecordDecl>(Tags[I]))
      record(*R);
    else
      enumeration(*llvm::cast<clang::EnumDecl>(Tags[I]));
  return std::move(Lines);
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
std::string TypeWriter::type(clang::QualType Given) {
  clang::QualType T = Given.getCanonicalType();
  if (const auto *A = C.getAsConstantArrayType(T))
    return '[' + std::to_string(A->getZExtSize()) + ']' +
           type(A->getElementType());
  T = T.getUnqualifiedType();
  if (const auto *P = T->getAs<clang::PointerType>())
    return '*' + pointer(P->getPointeeType());
  if (const auto *D = T->getAsTagDecl())
    return isDescribed(*D) ? tag(*D) : Unknown;
  return T->isBuiltinType() ? T.getAsString(Policy) : Unknown;
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
std::string TypeWriter::pointer(clang::QualType Pointee) {
  if (const auto *F = Pointee->getAs<clang::FunctionProtoType>()) {
    if (F->isVariadic())
      return Unknown;
    std::string Text = '(' + type(F->getReturnType());
    for (clang::QualType P : F->getParamTypes())
      Text += ';' + type(P);
    return Text + ')';
  }
  if (const auto *D = Pointee->getAsTagDecl()) {
    // What a header defines may lead to all of its types.
    const bool IsOwn = C.getSourceManager().isInMainFile(D->getLocation());
    const std::string Name = nameOf(*D);
    if (!IsOwn || !isDescribed(*D))
      return Name == "_object" ? Name : Unknown;
  }
  return (Pointee.isConstQualified() ? "const " : "") + type(Pointee);
}

std::string TypeWriter::tag(const clang::TagDecl &D) {
  const clang::TagDecl *Definition = D.getDefinition();
  auto At = std::find(Tags.begin(), Tags.end(), Definition);
  size_t Number = size_t(At - Tags.begin());
  if (At == Tags.end())
    Tags.push_back(Definition);
  return '#' + std::to_string(Number);
}

/// Whether a host can make one: data without bases, virtual functions or what
/// must be constructed.
bool TypeWriter::isDescribed(const clang::TagDecl &D) const {
  const clang::TagDecl *Definition = D.getDefinition();
  if (!Definition || Definition->isInvalidDecl() ||
      Definition->isDependentContext())
    return false;
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Definition);
  return !Class || (Class->isStandardLayout() && Class->isTriviallyCopyable() &&
                    Class->getNumBases() == 0);
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
void TypeWriter::record(const clang::RecordDecl &R) {
  const clang::ASTRecordLayout &L = C.getASTRecordLayout(&R);
  std::string Line = (R.isUnion() ? "u\t" : "s\t") + tag(R) + '\t' + nameOf(R) +
                     '\t' + std::to_string(L.getSize().getQuantity()) + '\t' +
                     std::to_string(L.getAlignment().getQuantity());
  for (const clang::FieldDecl *F : R.fields()) {
    Line += '\t' + F->getNameAsString() + '\t' +
            std::to_string(L.getFieldOffset(F->getFieldIndex())) + '\t' +
            (F->isBitField() ? std::to_string(F->getBitWidthValue()) : "") +
            '\t' + type(F->getType());
  }
  Lines += Line + '\n';
}

void TypeWriter::enumeration(const clang::EnumDecl &E) {
  std::string Line =
      "e\t" + tag(E) + '\t' + nameOf(E) + '\t' + type(E.getIntegerType());
  for (const clang::EnumConstantDecl *Value : E.enumerators())
    Line += '\t' + Value->getNameAsString() + '\t' +
            llvm::toString(Value->getInitVal(), 10);
  Lines += Line + '\n';
}
