// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jumps that may not leave a block.

#include "JumpRules.h"

#include "../Diagnostics/RuleMessages.h"
#include "RuleChecker.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

#include "llvm/ADT/StringSet.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

class JumpVisitor : public clang::DynamicRecursiveASTVisitor, RuleVisitor {
  using Base = clang::DynamicRecursiveASTVisitor;

public:
  JumpVisitor(clang::ASTContext &Context, const RegionMap &Regions,
              const std::string &FailureVariable, Violations &Found)
      : RuleVisitor(Context, Regions, Found), FailureVariable(FailureVariable) {
    for (const Region *R : Regions.all()) {
      Labels.insert(R->Label);
      LastBlock = std::max(LastBlock, R->Block);
      if (llvm::StringRef Rest = R->Label;
          R->Block && Rest.consume_back(std::to_string(R->Block)))
        Stem = Rest;
    }
  }

  /// A function inside a region is its author's own: its returns and jumps
  /// leave nothing but itself.
  bool TraverseDecl(clang::Decl *D) override {
    if (!D ||
        !(D->isFunctionOrFunctionTemplate() || llvm::isa<clang::BlockDecl>(D)))
      return Base::TraverseDecl(D);
    return inFunction(D->getLocation(), [&] { return Base::TraverseDecl(D); });
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *L) override {
    return inFunction(L->getBeginLoc(),
                      [&] { return Base::TraverseLambdaExpr(L); });
  }

  bool TraverseForStmt(clang::ForStmt *S) override {
    return inLoop(S, [&] { return Base::TraverseForStmt(S); });
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt *S) override {
    return inLoop(S, [&] { return Base::TraverseCXXForRangeStmt(S); });
  }
  bool TraverseWhileStmt(clang::WhileStmt *S) override {
    return inLoop(S, [&] { return Base::TraverseWhileStmt(S); });
  }
  bool TraverseDoStmt(clang::DoStmt *S) override {
    return inLoop(S, [&] { return Base::TraverseDoStmt(S); });
  }
  bool TraverseSwitchStmt(clang::SwitchStmt *S) override {
    Breakables.push_back(S->getBeginLoc());
    bool Result = Base::TraverseSwitchStmt(S);
    Breakables.pop_back();
    return Result;
  }

  bool VisitReturnStmt(clang::ReturnStmt *S) override {
    const Region *R = restricted(S->getReturnLoc());
    if (R && regionAt(Function) != R)
      report(S->getReturnLoc(), rules::noReturn(mayFail(*R)));
    return true;
  }
  bool VisitBreakStmt(clang::BreakStmt *S) override {
    return leaves(S->getBeginLoc(), Breakables, "break");
  }
  bool VisitContinueStmt(clang::ContinueStmt *S) override {
    return leaves(S->getBeginLoc(), Loops, "continue");
  }

  /// Records the gotos that end `{failure = n; goto label;}`.
  bool VisitCompoundStmt(clang::CompoundStmt *S) override {
    const clang::Stmt *Before = nullptr;
    for (const clang::Stmt *Child : S->body()) {
      const auto *G = llvm::dyn_cast<clang::GotoStmt>(Child);
      if (G && Before && isFailure(*Before, *G))
        Failures.insert(G);
      Before = Child;
    }
    return true;
  }
  bool VisitGotoStmt(clang::GotoStmt *S) override {
    const Region *R = restricted(S->getGotoLoc());
    if (!R || Failures.contains(S) || isInside(*S->getLabel(), R))
      return true;
    report(S->getGotoLoc(),
           rules::noGoto(S->getLabel()->getName().str(), mayFail(*R)));
    return true;
  }
  bool VisitLabelStmt(clang::LabelStmt *S) override {
    std::string Name = S->getName();
    if (restricted(S->getIdentLoc()) && isOurs(Name))
      report(S->getIdentLoc(), rules::labelOfOurs(Name));
    return true;
  }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr *E) override {
    const Region *R = restricted(E->getAmpAmpLoc());
    LabelAddresses.insert(R);
    if (R && !isInside(*E->getLabel(), R))
      report(E->getAmpAmpLoc(),
             rules::noGoto(E->getLabel()->getName().str(), mayFail(*R)));
    return true;
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt *S) override {
    IndirectGotos.push_back(S->getGotoLoc());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *E) override {
    const auto *F = E->getDirectCallee();
    if (!F || !F->getDeclName().isIdentifier())
      return true;
    llvm::StringRef Name = F->getName();
    if (Name.ends_with("longjmp"))
      LongJumps.push_back(E->getBeginLoc());
    else if (Name.ends_with("setjmp"))
      SetJumps.insert(regionAt(E->getBeginLoc()));
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *S) override {
    const Region *R = restricted(S->getAsmLoc());
    for (unsigned I = 0; R && I != S->getNumLabels(); ++I)
      if (const clang::LabelDecl *L = S->getLabelExpr(I)->getLabel();
          !isInside(*L, R))
        report(S->getAsmLoc(), rules::noGoto(L->getName().str(), mayFail(*R)));
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *B) override {
    if (!assignsFailure(*B))
      return true;
    const Region *R = restricted(B->getBeginLoc());
    if (R && !mayFail(*R))
      report(B->getBeginLoc(), rules::noFail());
    return true;
  }

  /// The targets are unknown; a label or a setjmp() in the same region shows
  /// what is meant.
  void finish() {
    for (clang::SourceLocation Loc : IndirectGotos)
      if (const Region *R = restricted(Loc); R && !LabelAddresses.contains(R))
        report(Loc, rules::noGoto("*...", mayFail(*R)));
    for (clang::SourceLocation Loc : LongJumps)
      if (const Region *R = restricted(Loc); R && !SetJumps.contains(R))
        report(Loc, rules::noLongJump());
  }

private:
  template <typename Fn> bool inFunction(clang::SourceLocation At, Fn Walk) {
    std::vector<clang::SourceLocation> OuterLoops, OuterBreakables;
    OuterLoops.swap(Loops);
    OuterBreakables.swap(Breakables);
    clang::SourceLocation Outer = std::exchange(Function, At);
    bool Result = Walk();
    Function = Outer;
    Loops.swap(OuterLoops);
    Breakables.swap(OuterBreakables);
    return Result;
  }

  template <typename Fn> bool inLoop(clang::Stmt *S, Fn Walk) {
    Loops.push_back(S->getBeginLoc());
    Breakables.push_back(S->getBeginLoc());
    bool Result = Walk();
    Loops.pop_back();
    Breakables.pop_back();
    return Result;
  }

  bool leaves(clang::SourceLocation Loc,
              const std::vector<clang::SourceLocation> &Around,
              const char *Keyword) {
    const Region *R = restricted(Loc);
    if (R && (Around.empty() || regionAt(Around.back()) != R))
      report(Loc, rules::noJump(Keyword));
    return true;
  }

  const Region *restricted(clang::SourceLocation Loc) const {
    const Region *R = regionAt(Loc);
    bool Runs =
        R && (R->Kind == Region::Role::Code || R->Kind == Region::Role::NoFail);
    return Runs ? R : nullptr;
  }
  static bool mayFail(const Region &R) { return R.Kind == Region::Role::Code; }

  bool isInside(const clang::LabelDecl &L, const Region *R) const {
    return L.getStmt() && regionAt(L.getStmt()->getIdentLoc()) == R;
  }

  bool assignsFailure(const clang::BinaryOperator &B) const {
    if (!B.isAssignmentOp())
      return false;
    const clang::Expr *Left = B.getLHS()->IgnoreParenImpCasts();
    const clang::NamedDecl *D = nullptr;
    if (const auto *Ref = llvm::dyn_cast<clang::DeclRefExpr>(Left))
      D = Ref->getDecl();
    else if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(Left))
      D = Member->getMemberDecl();
    return D && D->getDeclName().isIdentifier() &&
           D->getName() == FailureVariable;
  }

  /// Whether \p Before and \p G are what `fail` stands for in their region.
  bool isFailure(const clang::Stmt &Before, const clang::GotoStmt &G) const {
    const auto *E = llvm::dyn_cast<clang::Expr>(&Before);
    const auto *B =
        E ? llvm::dyn_cast<clang::BinaryOperator>(E->IgnoreParenImpCasts())
          : nullptr;
    const Region *R = regionAt(G.getGotoLoc());
    if (!R || !B || !assignsFailure(*B))
      return false;
    const auto *Number = llvm::dyn_cast<clang::IntegerLiteral>(
        B->getRHS()->IgnoreParenImpCasts());
    return Number && (!R->Block || Number->getValue() == R->Block) &&
           (R->Label.empty() || R->Label == G.getLabel()->getName());
  }

  /// Blocks whose texts are the assembler's own have labels and no regions.
  bool isOurs(llvm::StringRef Label) const {
    unsigned Number = 0;
    return Labels.contains(Label) ||
           (!Stem.empty() && Label.consume_front(Stem) &&
            !Label.getAsInteger(10, Number) && Number <= LastBlock);
  }

  const std::string &FailureVariable;
  llvm::StringSet<> Labels; ///< Those that regions jump to.
  llvm::StringRef Stem;     ///< Of the labels that end in a block's number.
  unsigned LastBlock = 0;
  clang::SourceLocation Function; ///< The innermost enclosing one.
  std::vector<clang::SourceLocation> Loops, Breakables;
  llvm::SmallPtrSet<const clang::GotoStmt *, 32> Failures;
  /// Regions with `&&label`, and with a setjmp().
  llvm::SmallPtrSet<const Region *, 4> LabelAddresses, SetJumps;
  std::vector<clang::SourceLocation> IndirectGotos, LongJumps;
};

} // namespace

void clinch::engine::checkJumps(llvm::ArrayRef<clang::Decl *> Declarations,
                                clang::ASTContext &Context,
                                const RegionMap &Regions,
                                const std::string &FailureVariable,
                                Violations &Found) {
  JumpVisitor V(Context, Regions, FailureVariable, Found);
  for (clang::Decl *D : Declarations)
    V.TraverseDecl(D);
  V.finish();
}
