// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of constants as C text.

#include "Constants.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clinch::engine;

/// Every part of a value is written; an array of more is left as it is.
static constexpr unsigned MostItems = 10000;

static std::string written(const llvm::APSInt &Value) {
  if (Value.getSignificantBits() > 64)
    return "";
  if (Value.isSigned() && Value.isMinSignedValue())
    return llvm::toString(Value + 1, 10, true) + "LL-1";
  return llvm::toString(Value, 10) + (Value.isSigned() ? "LL" : "ULL");
}

static std::string written(const llvm::APFloat &Value, clang::QualType T) {
  if (!Value.isFinite())
    return "";
  char Digits[64];
  Value.convertToHexString(Digits, 0, false, llvm::RoundingMode::TowardZero);
  const bool IsLong = T->isSpecificBuiltinType(clang::BuiltinType::LongDouble);
  const bool IsShort = T->isSpecificBuiltinType(clang::BuiltinType::Float);
  return std::string(Digits) + (IsLong ? "L" : IsShort ? "f" : "");
}

static std::string written(const clang::APValue &Value, clang::QualType T,
                           const clang::ASTContext &C);

// NOLINTNEXTLINE(misc-no-recursion): types nest
static std::string items(const clang::APValue &Value, clang::QualType T,
                         const clang::ASTContext &C) {
  if (Value.getArraySize() > MostItems)
    return "";
  std::string Text;
  for (unsigned I = 0; I < Value.getArraySize(); ++I) {
    const bool IsGiven = I < Value.getArrayInitializedElts();
    const std::string Item = written(IsGiven ? Value.getArrayInitializedElt(I)
                                             : Value.getArrayFiller(),
                                     C.getAsArrayType(T)->getElementType(), C);
    if (Item.empty())
      return "";
    Text += (I ? ", " : "{") + Item;
  }
  return Text + '}';
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
static std::string members(const clang::APValue &Value, clang::QualType T,
                           const clang::ASTContext &C) {
  const clang::RecordDecl *R = T->getAsRecordDecl();
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(R);
  if (Class && (!Class->isAggregate() || Class->getNumBases() != 0))
    return "";
  std::string Text = "{";
  for (const clang::FieldDecl *F : R->fields()) {
    const std::string Member =
        written(Value.getStructField(F->getFieldIndex()), F->getType(), C);
    if (Member.empty() || F->isUnnamedBitField())
      return "";
    Text += (Text.size() > 1 ? ", " : "") + Member;
  }
  return Text + '}';
}

// NOLINTNEXTLINE(misc-no-recursion): types nest
static std::string written(const clang::APValue &Value, clang::QualType T,
                           const clang::ASTContext &C) {
  if (Value.isInt() || Value.isFloat()) {
    clang::PrintingPolicy Policy = C.getPrintingPolicy();
    const std::string Type =
        T.getCanonicalType().getUnqualifiedType().getAsString(Policy);
    const std::string Number =
        Value.isInt() ? written(Value.getInt()) : written(Value.getFloat(), T);
    if (Number.empty() || Type.find("(unnamed ") != std::string::npos)
      return "";
    return '(' + Type + ")(" + Number + ')';
  }
  if (Value.isArray())
    return items(Value, T, C);
  return Value.isStruct() ? members(Value, T, C) : "";
}

std::string clinch::engine::constantInitializer(const clang::VarDecl &V) {
  const clang::ASTContext &C = V.getASTContext();
  const clang::QualType T = V.getType();
  if (!T.isConstQualified() && !C.getBaseElementType(T).isConstQualified())
    return "";
  if (T.isVolatileQualified() || !V.hasInit() ||
      V.getInit()->isValueDependent())
    return "";
  // In C, compilers take those of numbers as constant, too.
  if (C.getLangOpts().CPlusPlus ? !V.isUsableInConstantExpressions(C)
                                : !V.isConstexpr() && !T->isArithmeticType())
    return "";
  const clang::APValue *Value = V.evaluateValue();
  return Value ? written(*Value, T, C) : "";
}
