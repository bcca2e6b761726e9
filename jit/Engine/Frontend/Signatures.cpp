// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a text.

#include "Signatures.h"

#include "TypeWriter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

using namespace clinch::engine;

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
