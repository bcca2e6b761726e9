// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that clash with the graph's.

#include "NameRules.h"

#include "../Diagnostics/RuleMessages.h"
#include "RuleVisitor.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Collects what regions of C declare; taken names are known at the end.
class CVisitor : public clang::DynamicRecursiveASTVisitor, RuleVisitor {
public:
  using RuleVisitor::RuleVisitor;

  bool VisitNamedDecl(clang::NamedDecl *D) override {
    const Region *R = regionAt(D->getLocation());
    if (!R || D->isImplicit() || D->getName().empty())
      return true;
    const auto *Field = llvm::dyn_cast<clang::FieldDecl>(D);
    if (Field && !regionAt(Field->getParent()->getLocation()))
      Members.insert(D->getName()); // Of the state.
    else if (Field || !isVariable(*R, *D))
      Declared.emplace_back(D->getName().str(), D->getLocation());
    return true;
  }

  bool VisitLabelStmt(clang::LabelStmt *S) override {
    if (regionAt(S->getIdentLoc()))
      Declared.emplace_back(S->getName(), S->getIdentLoc());
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *S) override {
    for (unsigned I = 0; I < S->getNumOutputs(); ++I)
      noteOperand(S->getOutputIdentifier(I), *S->getOutputExpr(I));
    for (unsigned I = 0; I < S->getNumInputs(); ++I)
      noteOperand(S->getInputIdentifier(I), *S->getInputExpr(I));
    return true;
  }

  void judge(const NamedMacros &Macros, llvm::StringSet<> Taken) {
    for (const auto &Member : Members)
      Taken.insert(Member.getKey());
    Declared.insert(Declared.end(), Macros.begin(), Macros.end());
    for (const auto &[Name, Loc] : Declared)
      if (Taken.count(Name))
        report(Loc, rules::nameTaken(Name));
  }

private:
  /// `[name] "r"(value)`
  void noteOperand(const clang::IdentifierInfo *Name,
                   const clang::Expr &Value) {
    if (Name && regionAt(Value.getBeginLoc()))
      Declared.emplace_back(Name->getName().str(), Value.getBeginLoc());
  }
  /// Whether \p D is a variable that its region exists to declare.
  bool isVariable(const Region &R, const clang::NamedDecl &D) const {
    return R.Kind == Region::Role::Declarations &&
           llvm::isa<clang::VarDecl>(D) && !llvm::isa<clang::ParmVarDecl>(D);
  }

  NamedMacros Declared;
  llvm::StringSet<> Members;
};

/// Warns of lambdas of C++ whose `=` does not copy a member. That a capture
/// list cannot name one, Clang says.
class CXXVisitor : public clang::DynamicRecursiveASTVisitor, RuleVisitor {
public:
  CXXVisitor(clang::ASTContext &Context, const RegionMap &Regions,
             const llvm::StringSet<> &Taken, Violations &Found)
      : RuleVisitor(Context, Regions, Found), Diags(Context.getDiagnostics()),
        Taken(Taken) {}

  bool TraverseLambdaExpr(clang::LambdaExpr *E) override {
    bool Outer = Copies;
    Copies |= E->getCaptureDefault() == clang::LCD_ByCopy;
    bool Result = clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(E);
    Copies = Outer;
    return Result;
  }

  bool VisitMemberExpr(clang::MemberExpr *E) override {
    const clang::ValueDecl &D = *E->getMemberDecl();
    if (Copies && E->isImplicitAccess() && regionAt(E->getMemberLoc()) &&
        isTaken(D))
      Diags.Report(
          E->getMemberLoc(),
          Diags.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0"))
          << rules::copiesNoMember(D.getName().str());
    return true;
  }

private:
  /// Whether \p D is the variable itself, and not one that hides it.
  bool isTaken(const clang::NamedDecl &D) const {
    if (!D.getDeclName().isIdentifier() || !Taken.count(D.getName()))
      return false;
    const Region *R = regionAt(D.getLocation());
    return !R || R->Kind == Region::Role::Declarations;
  }

  clang::DiagnosticsEngine &Diags;
  const llvm::StringSet<> &Taken;
  bool Copies = false; ///< In a lambda with `=`.
};

} // namespace

void clinch::engine::checkNames(llvm::ArrayRef<clang::Decl *> Declarations,
                                clang::ASTContext &Context,
                                const RegionMap &Regions,
                                const NamedMacros &Macros,
                                llvm::StringSet<> Taken, Violations &Found) {
  if (Context.getLangOpts().CPlusPlus) {
    CXXVisitor V(Context, Regions, Taken, Found);
    for (clang::Decl *D : Declarations)
      V.TraverseDecl(D);
    return;
  }
  CVisitor V(Context, Regions, Found);
  for (clang::Decl *D : Declarations)
    V.TraverseDecl(D);
  V.judge(Macros, std::move(Taken));
}
