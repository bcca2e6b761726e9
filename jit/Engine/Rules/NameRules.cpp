// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of names and declarations.

#include "NameRules.h"
#include "../Diagnostics/RuleMessages.h"
#include "RuleChecker.h"
#include "clinch/Compiler/Options.h"
#include "lib/Support/AlignmentLimits.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

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

namespace {

class DeclarationVisitor : public clang::DynamicRecursiveASTVisitor,
                           RuleVisitor {
public:
  DeclarationVisitor(clang::ASTContext &Context, const RegionMap &Regions,
                     Violations &Found)
      : RuleVisitor(Context, Regions, Found), Context(Context) {}

  /// Finds statements in a region whose enclosing body is outside.
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

  /// Checks the value as written: Clang counts bits, and truncates many.
  bool VisitAttr(clang::Attr *A) override {
    constexpr int64_t Most = int64_t(1) << 28;
    const auto *Aligned = llvm::dyn_cast<clang::AlignedAttr>(A);
    if (!Aligned || !regionAt(A->getLocation()) ||
        !Aligned->isAlignmentExpr() || !Aligned->getAlignmentExpr() ||
        Aligned->isAlignmentDependent())
      return true;
    int64_t Wanted = Aligned->getAlignmentExpr()
                         ->EvaluateKnownConstInt(Context)
                         .getExtValue();
    if (Wanted > Most)
      report(A->getLocation(), rules::tooAligned("aligned", Wanted, Most));
    return true;
  }
  /// Skips locals, which the code itself aligns.
  bool VisitVarDecl(clang::VarDecl *D) override {
    if (D->hasGlobalStorage() && isWhole(*D) && regionAt(D->getLocation()))
      checkAlignment(*D, Context.getDeclAlign(D), PageAlignment);
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl *D) override {
    if (regionAt(D->getLocation()))
      checkAlignment(*D, Context.toCharUnitsFromBits(D->getMaxAlignment()),
                     PageAlignment);
    return true;
  }
  /// Checks members of the state.
  bool VisitFieldDecl(clang::FieldDecl *D) override {
    if (isWhole(*D) && regionAt(D->getLocation()) &&
        !regionAt(D->getParent()->getLocation()))
      checkAlignment(*D, Context.getDeclAlign(D), StateAlignment);
    return true;
  }

  llvm::StringSet<> Names; ///< Of variables, and those that are reserved.

private:
  /// An invalid or dependent declaration has no layout.
  static bool isWhole(const clang::ValueDecl &D) {
    clang::QualType T = D.getType();
    return !D.isInvalidDecl() && !T->isDependentType() &&
           !T->isIncompleteType() && !T->isUndeducedType();
  }
  void checkAlignment(const clang::NamedDecl &D, clang::CharUnits Wanted,
                      size_t Most) {
    if (Wanted.getQuantity() > int64_t(Most))
      report(D.getLocation(), rules::tooAligned(D.getNameAsString(),
                                                Wanted.getQuantity(), Most));
  }

  const Region *declaring(clang::SourceLocation Loc) const {
    const Region *R = regionAt(Loc);
    return R && R->Kind == Region::Role::Declarations ? R : nullptr;
  }

  /// A name inside a type or function of the same region clashes with none;
  /// enumerators may.
  bool isInner(const clang::NamedDecl &D) const {
    if (!D.getDeclName().isIdentifier() || llvm::isa<clang::ParmVarDecl>(D))
      return true;
    const clang::DeclContext *Around = D.getLexicalDeclContext();
    if (llvm::isa<clang::EnumDecl>(Around))
      return false;
    const auto *Owner = llvm::dyn_cast<clang::NamedDecl>(Around);
    return Owner && declaring(Owner->getLocation());
  }

  /// Constants that need no code may have a value.
  static bool givesValue(const clang::VarDecl &V) {
    if (!V.hasInit() || V.isConstexpr() ||
        (V.isStaticLocal() && V.getType().isConstQualified()))
      return false;
    if (const auto *C = llvm::dyn_cast<clang::CXXConstructExpr>(
            V.getInit()->IgnoreUnlessSpelledInSource()))
      return C->getParenOrBraceRange().isValid() || C->getNumArgs() != 0;
    return true;
  }

  clang::ASTContext &Context;
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
