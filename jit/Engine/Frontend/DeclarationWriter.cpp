// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations and constants of a text, for the prompt.

#include "DeclarationWriter.h"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

using namespace clinch::engine;

namespace {

class DeclarationWriter : public clang::ASTConsumer {
public:
  explicit DeclarationWriter(std::string &Lines) : Lines(Lines) {}

  void Initialize(clang::ASTContext &Context) override { C = &Context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (const clang::Decl *D : Group)
      if (C->getSourceManager().isInMainFile(D->getLocation()) ||
          llvm::isa<clang::EmptyDecl>(D))
        Declarations.push_back(D);
    return true;
  }

  /// What a name is at last is known at the end.
  void HandleTranslationUnit(clang::ASTContext &) override {
    if (C->getDiagnostics().hasErrorOccurred())
      return;
    for (const clang::Decl *D : Declarations)
      write(*D);
  }

private:
  struct Line {
    char Kind = 'd';
    clang::SourceRange Range;
    std::string Names, Symbol, Text;
  };

  // NOLINTNEXTLINE(misc-no-recursion): namespaces nest
  void write(const clang::Decl &D) {
    // What stands there is named as what stands outside.
    if (const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(&D);
        Space && Space->isAnonymousNamespace()) {
      for (const clang::Decl *Inner : Space->decls())
        write(*Inner);
      return;
    }
    if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(&D))
      return function(*F);
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(&D))
      return variable(*V);
    if (const auto *T = llvm::dyn_cast<clang::TypedefNameDecl>(&D))
      return typeName(*T);
    if (const auto *T = llvm::dyn_cast<clang::TagDecl>(&D)) {
      // Its typedef or variable repeats one that has no name.
      if (!isNamed(*T) && T->isEmbeddedInDeclarator())
        return;
      return add({'d', D.getSourceRange(), names(*T), "", ""});
    }
    const auto *N = llvm::dyn_cast<clang::NamedDecl>(&D);
    add({'d', D.getSourceRange(), N ? N->getNameAsString() : "", "", ""});
  }

  static bool isNamed(const clang::TagDecl &D) {
    return D.getDeclName() && !D.getDeclName().isEmpty();
  }

  /// A type that a function's result defines is in no group of declarations.
  void typeOfResult(const clang::FunctionDecl &F) {
    clang::QualType T = F.getReturnType();
    while (!T->getPointeeType().isNull())
      T = T->getPointeeType();
    const clang::TagDecl *D = T->getAsTagDecl();
    const clang::SourceManager &SM = C->getSourceManager();
    if (D && D->isThisDeclarationADefinition() && isNamed(*D) &&
        SM.isBeforeInTranslationUnit(F.getBeginLoc(), D->getLocation()) &&
        SM.isBeforeInTranslationUnit(D->getLocation(), F.getLocation()))
      add({'d', D->getSourceRange(), names(*D), "", ""});
  }

  void function(const clang::FunctionDecl &F) {
    typeOfResult(F);
    Line L{'d', F.getSourceRange(), F.getNameAsString(), "", ""};
    if (F.isThisDeclarationADefinition() && !F.isTemplated()) {
      L.Kind = 'f';
      L.Symbol = symbol(F);
      L.Text =
          hasSizedParameters(F) ? asTyped(F) : declared(F.getType(), L.Names);
      add(L);
      return locals(F);
    }
    add(L);
  }

  /// Whether a parameter's type mentions others, as in `double a[n][m]`.
  static bool hasSizedParameters(const clang::FunctionDecl &F) {
    return llvm::any_of(F.parameters(), [](const clang::ParmVarDecl *P) {
      return P->getType()->isVariablyModifiedType();
    });
  }

  /// Returns the declaration of a function up to its body.
  std::string asTyped(const clang::FunctionDecl &F) const {
    const clang::SourceManager &SM = C->getSourceManager();
    return clang::Lexer::getSourceText(
               clang::Lexer::makeFileCharRange(
                   clang::CharSourceRange::getTokenRange(
                       F.getBeginLoc(), F.getFunctionTypeLoc().getRParenLoc()),
                   SM, C->getLangOpts()),
               SM, C->getLangOpts())
        .str();
  }

  void variable(const clang::VarDecl &V) {
    Line L{'d', V.getSourceRange(), V.getNameAsString(), "", ""};
    const clang::CXXRecordDecl *Class = V.getType()->getAsCXXRecordDecl();
    if (V.isThisDeclarationADefinition() && !V.isTemplated() &&
        !(Class && Class->isLambda())) {
      // One of each thread has no address.
      L.Kind = V.getTLSKind() ? 't' : 'v';
      L.Symbol = symbol(V);
      L.Text = declared(V.getType(), L.Names);
    }
    add(L);
    if (L.Kind == 'v' && !L.Text.empty())
      constant(V, L);
  }

  /// A later text may need the value to be one at compile time.
  void constant(const clang::VarDecl &V, Line L) {
    const std::string Value = constantInitializer(V);
    if (Value.empty())
      return;
    const bool IsConstexpr = V.isConstexpr() || C->getLangOpts().CPlusPlus;
    L.Kind = 'c';
    L.Text = (IsConstexpr ? "static constexpr " : "static ") + L.Text + " = " +
             Value;
    add(L);
  }

  /// A typedef of what has a name does not define that again.
  void typeName(const clang::TypedefNameDecl &T) {
    const std::string Name = T.getNameAsString();
    const clang::TagDecl *Tag = T.getUnderlyingType()->getAsTagDecl();
    std::string Text;
    if (!Tag || Tag->getTypedefNameForAnonDecl() != &T)
      Text = declared(T.getUnderlyingType(), Name);
    add({'d', T.getSourceRange(), Name, "",
         Text.empty() ? "" : "typedef " + Text});
  }

  void locals(const clang::FunctionDecl &F) {
    const auto *Body = llvm::dyn_cast_or_null<clang::CompoundStmt>(F.getBody());
    if (!Body)
      return;
    for (const clang::Stmt *S : Body->body())
      if (const auto *DS = llvm::dyn_cast<clang::DeclStmt>(S))
        for (const clang::Decl *D : DS->decls()) {
          if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D)) {
            const std::string Name = V->getNameAsString();
            add({'l', DS->getSourceRange(), Name, F.getNameAsString(),
                 declared(V->getType().getUnqualifiedType(), Name)});
          } else if (const auto *T = llvm::dyn_cast<clang::TagDecl>(D)) {
            add({'k', T->getSourceRange(), names(*T), F.getNameAsString(), ""});
          }
        }
  }

  std::string symbol(const clang::NamedDecl &D) const {
    const clang::LinkageInfo Linkage = D.getLinkageAndVisibility();
    return clang::isExternallyVisible(Linkage.getLinkage()) &&
                   Linkage.getVisibility() != clang::HiddenVisibility
               ? clang::ASTNameGenerator(*C).getName(&D)
               : "";
  }

  /// Returns a declaration, or nothing if a part of the type has no name.
  std::string declared(clang::QualType T, const std::string &Name) const {
    std::string Text = Name;
    // As written, a deduced type has the names of where its template stands.
    if (T->getContainedDeducedType())
      T = T.getCanonicalType();
    clang::PrintingPolicy Policy = C->getPrintingPolicy();
    Policy.SuppressUnwrittenScope = true;
    T.getAsStringInternal(Text, Policy);
    return Text.find("(unnamed ") == std::string::npos ? Text : "";
  }

  std::string names(const clang::TagDecl &T) const {
    const char *Tag = C->getLangOpts().CPlusPlus ? "" : "struct ";
    std::string Names = isNamed(T) ? Tag + T.getNameAsString() : "";
    if (const auto *E = llvm::dyn_cast<clang::EnumDecl>(&T);
        E && !E->isScoped())
      for (const clang::EnumConstantDecl *Value : E->enumerators())
        Names += (Names.empty() ? "" : ",") + Value->getNameAsString();
    return Names;
  }

  void add(Line L) {
    const clang::SourceManager &SM = C->getSourceManager();
    const clang::CharSourceRange R = clang::Lexer::makeFileCharRange(
        clang::CharSourceRange::getTokenRange(
            SM.getExpansionRange(L.Range).getAsRange()),
        SM, C->getLangOpts());
    if (R.isInvalid())
      return;
    std::replace_if(
        L.Text.begin(), L.Text.end(),
        [](char A) { return A == '\t' || A == '\n'; }, ' ');
    Lines += L.Kind;
    for (const std::string &Field :
         {std::to_string(SM.getFileOffset(R.getBegin())),
          std::to_string(SM.getFileOffset(R.getEnd())), L.Names, L.Symbol,
          L.Text})
      Lines += '\t' + Field;
    Lines += '\n';
  }

  std::string &Lines;
  clang::ASTContext *C = nullptr;
  std::vector<const clang::Decl *> Declarations;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
clinch::engine::createDeclarationWriter(std::string &Lines) {
  return std::make_unique<DeclarationWriter>(Lines);
}

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
  // In C, compilers treat `const` numbers as constant expressions, too.
  if (C.getLangOpts().CPlusPlus ? !V.isUsableInConstantExpressions(C)
                                : !V.isConstexpr() && !T->isArithmeticType())
    return "";
  const clang::APValue *Value = V.evaluateValue();
  return Value ? written(*Value, T, C) : "";
}
