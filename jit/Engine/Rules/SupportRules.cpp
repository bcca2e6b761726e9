//===- SupportRules.cpp - Whose code a text may use -----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Diagnostics/RuleMessages.h"
#include "RuleVisitor.h"
#include "SupportCode.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

#include <set>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Refuses functions, variables and types that a text does not see.
class SupportVisitor : public clang::DynamicRecursiveASTVisitor, RuleVisitor {
public:
  SupportVisitor(clang::ASTContext &Context, const RegionMap &Regions,
                 const SupportCode &Support, Violations &Found)
      : RuleVisitor(Context, Regions, Found), Support(Support), Found(Found) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(clang::Decl *D) override {
    const clang::DeclContext *Outer = Inside;
    if (const auto *Context = llvm::dyn_cast_or_null<clang::DeclContext>(D))
      Inside = Context;
    bool Result = clang::DynamicRecursiveASTVisitor::TraverseDecl(D);
    Inside = Outer;
    return Result;
  }

  bool VisitUsingDirectiveDecl(clang::UsingDirectiveDecl *D) override {
    Directives.push_back(D);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *E) override {
    const clang::Expr *Callee = E->getCallee()->IgnoreImpCasts();
    if (E->usesADL() || llvm::isa<clang::CXXOperatorCallExpr>(E))
      FoundByArgument.insert(Callee);
    if (llvm::any_of(E->arguments(), [](const clang::Expr *Each) {
          return bringsNamespace(Each->IgnoreImpCasts()->getType());
        }))
      WithNamespace.insert(Callee->getExprLoc());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override {
    use(*E->getDecl(), E->getLocation());
    if (E->getFoundDecl() != E->getDecl())
      use(*E->getFoundDecl(), E->getLocation());
    else if (!E->hasQualifier() && !FoundByArgument.contains(E))
      findInNamespace(*E->getDecl(), E->getLocation());
    return true;
  }
  /// Checks members of the state; others come with a variable's type.
  bool VisitMemberExpr(clang::MemberExpr *E) override {
    const auto *Home =
        llvm::dyn_cast<clang::Decl>(E->getMemberDecl()->getDeclContext());
    if (Home && !regionAt(Home->getLocation()))
      use(*E->getMemberDecl(), E->getMemberLoc());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc T) override {
    return useType(*T.getDecl(), T.getNameLoc(), !T.getQualifierLoc());
  }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc T) override {
    return useType(*T.getDecl(), T.getNameLoc(), false);
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc T) override {
    return useType(*T.getDecl(), T.getNameLoc(), !T.getQualifierLoc());
  }
  bool VisitTemplateSpecializationTypeLoc(
      clang::TemplateSpecializationTypeLoc T) override {
    const clang::TemplateDecl *D =
        T.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return !D || useType(*D, T.getTemplateNameLoc(), !T.getQualifierLoc());
  }
  bool VisitAttr(clang::Attr *A) override {
    if (const auto *C = llvm::dyn_cast<clang::CleanupAttr>(A))
      use(*C->getFunctionDecl(), C->getLocation());
    return true;
  }

  void reportMacros() {
    for (const SupportCode::Use &U : Support.uses())
      refuse(U.Name, U.At, U.Defined, U.Undone);
  }

private:
  /// Returns a hidden location of \p D: its definition, or a declaration if the
  /// text at \p At sees none; else invalid.
  clang::SourceLocation hiddenPlace(const clang::NamedDecl &D,
                                    clang::SourceLocation At) const {
    clang::SourceLocation Hidden;
    bool Seen = false;
    for (const clang::Decl *Each : D.redecls()) {
      // A builtin is declared where it was used first.
      if (Each->isImplicit() || !Support.hidden(At, Each->getLocation())) {
        Seen = true;
        continue;
      }
      Hidden = Each->getLocation();
      if (defines(*Each))
        return Hidden;
    }
    return Seen ? clang::SourceLocation() : Hidden;
  }

  /// Counts `int x;`, which in two texts is one variable in C.
  static bool defines(const clang::Decl &D) {
    if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(&D))
      return F->isThisDeclarationADefinition();
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(&D))
      return V->isThisDeclarationADefinition() !=
             clang::VarDecl::DeclarationOnly;
    const auto *T = llvm::dyn_cast<clang::TagDecl>(&D);
    return T && T->isThisDeclarationADefinition();
  }

  void use(const clang::NamedDecl &D, clang::SourceLocation At) {
    if (clang::SourceLocation Place = hiddenPlace(D, At);
        Place.isValid() && !mayName(D, At, Place))
      refuse(D.getNameAsString(), At, Place, false);
  }

  /// Whether \p D may stand at \p At though the text does not see the function
  /// at \p Place. Without that function the name must mean nothing there, so
  /// that it cannot have changed its meaning.
  bool mayName(const clang::NamedDecl &D, clang::SourceLocation At,
               clang::SourceLocation Place) const {
    const auto *F = llvm::dyn_cast<clang::FunctionDecl>(&D);
    if (!F || F->getBuiltinID() || WithNamespace.contains(At) ||
        !Support.calls(At, *regionAt(Place)))
      return false;
    const clang::DeclContext *Around = F->getDeclContext()->getRedeclContext();
    auto Has = [&](const clang::DeclContext *Names) {
      return llvm::any_of(
          Names->lookup(F->getDeclName()), [&](const auto *One) {
            return One->getCanonicalDecl() != F->getCanonicalDecl();
          });
    };
    return Around->isTranslationUnit() && !Has(Around) &&
           llvm::none_of(Around->using_directives(), [&](const auto *Using) {
             return Has(Using->getNominatedNamespace());
           });
  }

  /// Whether C++ might look in a namespace for a function that is given a \p T.
  static bool bringsNamespace(clang::QualType T) {
    T = T.getNonReferenceType();
    while (T->isPointerType() || T->isArrayType())
      T = clang::QualType(T->getPointeeOrArrayElementType(), 0);
    if (T->isBuiltinType())
      return false;
    const clang::TagDecl *Tag = T->getAsTagDecl();
    const auto *Class = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(Tag);
    return !Tag || (Class && !Class->isCLike()) ||
           !Tag->getDeclContext()->getRedeclContext()->isTranslationUnit();
  }

  bool useType(const clang::NamedDecl &D, clang::SourceLocation At,
               bool Unqualified) {
    use(D, At);
    if (Unqualified)
      findInNamespace(D, At);
    return true;
  }

  /// Refuses a name that only another's `using namespace` makes known.
  void findInNamespace(const clang::NamedDecl &D, clang::SourceLocation At) {
    const clang::DeclContext *N = D.getDeclContext()->getRedeclContext();
    while (N->isInlineNamespace())
      N = N->getParent();
    if (!N->isNamespace() || !regionAt(At))
      return;
    for (const auto *Around = Inside; Around; Around = Around->getParent())
      if (Around->Equals(N))
        return;
    const clang::UsingDirectiveDecl *Hidden = nullptr;
    for (const clang::UsingDirectiveDecl *Each : Directives)
      if (Each->getNominatedNamespace()->Equals(N)) {
        if (!Support.hidden(At, Each->getLocation()))
          return;
        Hidden = Each;
      }
    if (Hidden)
      refuse(D.getNameAsString(), At, Hidden->getLocation(), false);
  }

  /// Reports each name once per text.
  void refuse(const std::string &Name, clang::SourceLocation At,
              clang::SourceLocation Defined, bool Undone) {
    if (!Refused.emplace(regionAt(At), Name).second)
      return;
    const std::string &Whose = regionAt(Defined)->Name;
    report(At, Undone ? rules::noUndefOfOthers(Name, Whose)
                      : rules::notSeen(Name, Whose));
    Found.back().Notes.push_back(
        diagnosticAt(SM, Defined, Diagnostic::Severity::Note,
                     "`" + Name + "` comes from here"));
  }

  const SupportCode &Support;
  Violations &Found;
  const clang::DeclContext *Inside = nullptr;
  std::vector<const clang::UsingDirectiveDecl *> Directives;
  llvm::SmallPtrSet<const clang::Expr *, 16> FoundByArgument;
  std::set<clang::SourceLocation> WithNamespace; ///< Calls; of an argument.
  std::set<std::pair<const Region *, std::string>> Refused;
};

} // namespace

void clinch::engine::checkSupport(llvm::ArrayRef<clang::Decl *> Declarations,
                                  clang::ASTContext &Context,
                                  const RegionMap &Regions,
                                  const SupportCode &Support,
                                  Violations &Found) {
  if (!Regions.haveSupport())
    return;
  const clang::SourceManager &SM = Context.getSourceManager();
  SupportVisitor V(Context, Regions, Support, Found);
  V.reportMacros();
  for (clang::Decl *D : Declarations)
    if (!SM.isInSystemHeader(D->getLocation()))
      V.TraverseDecl(D);
}
