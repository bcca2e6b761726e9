// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and variables of a text.

#include "TypeWriter.h"

#include "Brief.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace clinch::engine;

/// What a host need not understand: it may hold an address of one.
static const char *const Unknown = "?";

/// An instance of a template has its arguments in its name, but in `std`.
static std::string nameOf(const clang::TagDecl &D) {
  if (const clang::TypedefNameDecl *T = D.getTypedefNameForAnonDecl())
    return T->getQualifiedNameAsString();
  if (!llvm::isa<clang::ClassTemplateSpecializationDecl>(D) ||
      D.isInStdNamespace())
    return D.getDeclName() ? D.getQualifiedNameAsString() : "";
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  D.getNameForDiagnostic(OS, D.getASTContext().getPrintingPolicy(), true);
  return Name;
}

void TypeWriter::addFunction(const clang::FunctionDecl &F,
                             const std::string &Symbol) {
  std::string Line = "f\t" + Symbol + '\t' + type(F.getReturnType());
  for (const clang::ParmVarDecl *P : F.parameters())
    Line += '\t' + type(P->getType());
  Lines += Line + '\n';
  if (isBrief(F))
    Lines += "b\t" + Symbol + '\n';
  const clang::RawComment *R = C.getRawCommentForDeclNoCache(&F);
  if (!R)
    return;
  std::string Comment =
      R->getFormattedText(C.getSourceManager(), C.getDiagnostics());
  std::replace(Comment.begin(), Comment.end(), '\t', ' ');
  std::replace(Comment.begin(), Comment.end(), '\n', '\v');
  Lines += "d\t" + Symbol + '\t' + Comment + '\n';
}

/// It may be known of a header's struct what a variable's own pointer leads to.
std::string TypeWriter::typeOf(const clang::VarDecl &V) {
  const clang::QualType Pointee = V.getType()->getPointeeType();
  const auto *D = Pointee.isNull() ? nullptr : Pointee->getAsTagDecl();
  return D && nameOf(*D) != "_object" && isShown(*D) ? '*' + described(*D)
                                                     : type(V.getType());
}

void TypeWriter::addVariable(const clang::VarDecl &V,
                             const std::string &Symbol) {
  Lines += "v\t" + Symbol + '\t' + V.getQualifiedNameAsString() + '\t' +
           (V.getType().isConstant(C) ? "const" : "") + '\t' + typeOf(V) + '\n';
}

void TypeWriter::addTag(const clang::TagDecl &D) {
  if (!nameOf(D).empty() && isShown(D))
    tag(D);
}

std::string TypeWriter::lines() {
  // A type may name others, which come behind it.
  for (size_t I = 0; I < Tags.size(); ++I)
    if (const auto *E = llvm::dyn_cast<clang::EnumDecl>(Tags[I]))
      enumeration(*E);
    else
      record(*llvm::cast<clang::RecordDecl>(Tags[I]));
  return std::move(Lines);
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
std::string TypeWriter::type(clang::QualType Given) {
  clang::QualType T = Given.getCanonicalType();
  if (const auto *A = C.getAsConstantArrayType(T))
    return '[' + std::to_string(A->getZExtSize()) + ']' +
           type(A->getElementType());
  if (const auto *A = C.getAsIncompleteArrayType(T))
    return "[]" + type(A->getElementType());
  T = T.getUnqualifiedType();
  if (const auto *A = T->getAs<clang::AtomicType>();
      A && C.getTypeSize(A) == C.getTypeSize(A->getValueType()))
    return type(A->getValueType());
  if (const auto *P = T->getAs<clang::PointerType>())
    return '*' + pointer(P->getPointeeType());
  if (const auto *R = T->getAs<clang::LValueReferenceType>();
      R && !R->getPointeeType()->isArrayType())
    return '&' + pointer(R->getPointeeType());
  if (const auto *V = T->getAs<clang::VectorType>();
      V && C.getTypeSize(V) ==
               V->getNumElements() * C.getTypeSize(V->getElementType()))
    return '{' + std::to_string(V->getNumElements()) + '}' +
           type(V->getElementType());
  if (const auto *D = T->getAsTagDecl())
    return described(*D);
  const bool IsNumber =
      T->isBuiltinType() || T->isAnyComplexType() || T->isBitIntType();
  return IsNumber ? T.getAsString(Policy) : Unknown;
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
    if (!IsOwn || !isShown(*D))
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

std::string TypeWriter::described(const clang::TagDecl &D) {
  return isShown(D) ? tag(D) : Unknown;
}

/// Whether a host can show one, though it may be unable to make one.
bool TypeWriter::isShown(const clang::TagDecl &D) const {
  const auto *Class =
      llvm::dyn_cast_or_null<clang::CXXRecordDecl>(D.getDefinition());
  if (isDescribed(D))
    return true;
  return Class && !Class->isInvalidDecl() && !Class->isDependentContext() &&
         !Class->isLambda() && Class->getNumVBases() == 0 &&
         (!Class->isInStdNamespace() || Class->getName() == "pair");
}

/// Whether a host can make one: data that a copy of the bytes copies.
bool TypeWriter::isDescribed(const clang::TagDecl &D) const {
  const clang::TagDecl *Definition = D.getDefinition();
  if (!Definition || Definition->isInvalidDecl() ||
      Definition->isDependentContext())
    return false;
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Definition);
  return !Class ||
         (Class->isTriviallyCopyable() && Class->canPassInRegisters());
}

/// The bases of a class stand before its fields: as members without a name, so
/// that their fields are the class's, or with their names.
// NOLINTNEXTLINE(misc-no-recursion): types nest
std::string TypeWriter::bases(const clang::RecordDecl &R) {
  std::string Fields;
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(&R);
  if (!Class)
    return Fields;
  const clang::ASTRecordLayout &L = C.getASTRecordLayout(&R);
  for (const clang::CXXBaseSpecifier &B : Class->bases()) {
    const clang::CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
    if (Base->isEmpty())
      continue;
    const int64_t Place =
        L.getBaseClassOffset(Base).getQuantity() * int64_t(C.getCharWidth());
    Fields += '\t' + (isDescribed(R) ? "" : Base->getNameAsString()) + '\t' +
              std::to_string(Place) + "\t\t" + described(*Base);
  }
  return Fields;
}

/// Whether a bit-field without a name begins in the byte of another and ends in
/// the next eight bytes. Clang may store the two as one integer of sixteen
/// bytes, and passes that in two registers.
static bool isStoredWithNeighbour(const clang::FieldDecl &F, uint64_t Begin) {
  return Begin % 8 != 0 &&
         Begin / 64 != (Begin + F.getBitWidthValue() - 1) / 64;
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
void TypeWriter::record(const clang::RecordDecl &R) {
  const clang::ASTRecordLayout &L = C.getASTRecordLayout(&R);
  const std::string Kind = !isDescribed(R) ? "c" : R.isUnion() ? "u" : "s";
  std::string Line = Kind + '\t' + tag(R) + '\t' + nameOf(R) + '\t' +
                     std::to_string(L.getSize().getQuantity()) + '\t' +
                     std::to_string(L.getAlignment().getQuantity()) + bases(R);
  for (const clang::FieldDecl *F : R.fields()) {
    const uint64_t Begin = L.getFieldOffset(F->getFieldIndex());
    if (F->isUnnamedBitField() && !isStoredWithNeighbour(*F, Begin))
      continue;
    Line += '\t' + F->getNameAsString() + '\t' + std::to_string(Begin) + '\t' +
            (F->isBitField() ? std::to_string(F->getBitWidthValue()) : "") +
            '\t' + type(F->getType());
  }
  Lines += Line + '\n';
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
void TypeWriter::enumeration(const clang::EnumDecl &E) {
  std::string Line =
      "e\t" + tag(E) + '\t' + nameOf(E) + '\t' + type(E.getIntegerType());
  for (const clang::EnumConstantDecl *Value : E.enumerators())
    Line += '\t' + Value->getNameAsString() + '\t' +
            llvm::toString(Value->getInitVal(), 10);
  Lines += Line + '\n';
}
