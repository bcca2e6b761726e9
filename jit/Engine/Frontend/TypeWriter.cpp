// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and signatures of a text, for a host.

#include "TypeWriter.h"
#include "SymbolUses.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

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

namespace {

class SignatureWriter : public clang::ASTConsumer {
public:
  explicit SignatureWriter(std::string &Lines) : Lines(Lines) {}

  void Initialize(clang::ASTContext &Context) override {
    C = &Context;
    Mangler.reset(clang::ItaniumMangleContext::create(Context, Ignored));
  }

  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *F) override {
    if (isKernel(*F))
      Functions.push_back(F);
  }

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
    TypeWriter Types(C);
    for (const clang::FunctionDecl *F : Functions)
      if (C.getLangOpts().CUDAIsDevice
              ? isKernel(*F)
              : isSeen(C.GetGVALinkageForFunction(F)) && !isOfDevice(*F)) {
        write(*F, Symbols.getName(F), Policy);
        Types.addFunction(*F, Symbols.getName(F));
      }
    for (const clang::VarDecl *V : Variables)
      if ((V == V->getDefinition() || V == V->getActingDefinition()) &&
          !isOfDevice(*V))
        Types.addVariable(*V, Symbols.getName(V));
    for (const clang::TagDecl *D : Tags)
      Types.addTag(*D);
    if (std::string More = Types.lines(); !More.empty())
      Lines += '\n' + More;
  }

private:
  static bool isKernel(const clang::FunctionDecl &F) {
    return F.hasAttr<clang::CUDAGlobalAttr>() && !F.isDependentContext();
  }

  /// Of a function with this linkage, whether others see it. What a text
  /// instantiates by name has a weak one.
  static bool isSeen(clang::GVALinkage L) {
    return L == clang::GVA_StrongExternal || L == clang::GVA_StrongODR;
  }

  static std::string nameOf(const clang::FunctionDecl &F,
                            const clang::PrintingPolicy &Policy) {
    if (F.getASTContext().getLangOpts().CUDA) // Each kernel has one name.
      return F.getQualifiedNameAsString();
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    F.getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
    return Name;
  }

  /// Whether a host cannot call it, nor read it by its address.
  static bool isOfDevice(const clang::Decl &D) {
    return D.hasAttr<clang::CUDAGlobalAttr>() ||
           D.hasAttr<clang::CUDAConstantAttr>() ||
           (D.hasAttr<clang::CUDADeviceAttr>() &&
            !D.hasAttr<clang::CUDAHostAttr>());
  }

  // NOLINTNEXTLINE(misc-no-recursion): namespaces nest
  void collect(clang::Decl *D) {
    if (auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
        F && F->isThisDeclarationADefinition() && !F->isDependentContext() &&
        !llvm::isa<clang::CXXMethodDecl>(F))
      Functions.push_back(F);
    if (auto *V = llvm::dyn_cast<clang::VarDecl>(D);
        V && !V->getType()->isDependentType() && V->isExternallyVisible() &&
        !V->getTLSKind() &&
        C->getSourceManager().isInMainFile(V->getLocation()))
      Variables.push_back(V);
    if (auto *T = llvm::dyn_cast<clang::TagDecl>(D);
        T && T->isThisDeclarationADefinition() &&
        C->getSourceManager().isInMainFile(T->getLocation()))
      Tags.push_back(T);
    if (llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(D))
      for (clang::Decl *Inner : llvm::cast<clang::DeclContext>(D)->decls())
        collect(Inner);
  }

  void write(const clang::FunctionDecl &F, std::string Symbol,
             const clang::PrintingPolicy &Policy) {
    add(std::move(Symbol));
    add(nameOf(F, Policy));
    add(mangled(F.getType()));
    add(F.isVariadic() ? "..." : "");
    addType(F.getReturnType(), Policy);
    for (const clang::ParmVarDecl *P : F.parameters())
      addType(P->getType(), Policy);
    Lines.back() = '\n';
  }

  /// Returns a type as the C++ ABI writes it, or nothing for one that depends
  /// on values (arrays of variable length).
  std::string mangled(clang::QualType T) const {
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    if (!T->isVariablyModifiedType())
      Mangler->mangleCanonicalTypeName(T.getCanonicalType(), OS);
    return Name.substr(std::min(Name.size(), sizeof "_ZTS" - 1));
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
  const clang::ASTContext *C = nullptr;
  /// What cannot be mangled is no error of the text.
  clang::DiagnosticOptions NoOptions;
  clang::DiagnosticsEngine Ignored{clang::DiagnosticIDs::create(), NoOptions,
                                   new clang::IgnoringDiagConsumer};
  std::unique_ptr<clang::ItaniumMangleContext> Mangler;
  std::vector<const clang::FunctionDecl *> Functions;
  std::vector<const clang::VarDecl *> Variables;
  std::vector<const clang::TagDecl *> Tags;
};

} // namespace

std::unique_ptr<clang::ASTConsumer>
clinch::engine::createSignatureWriter(std::string &Lines) {
  return std::make_unique<SignatureWriter>(Lines);
}
