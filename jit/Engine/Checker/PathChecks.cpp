// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens on the paths through a block.
//
// Follows Clang's control-flow graph from a call that may fail, sets an
// exception or returns a reference, to where the block is left. A path ends at
// what is not understood: silence is better than a wrong warning.

#include "ExpressionChecks.h"

#include "Uses.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <functional>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// A call to follow, and the variable that holds its result.
struct Start {
  const clang::Stmt *At; ///< The whole declaration, assignment or call.
  const clang::CallExpr *Call;
  const clang::ValueDecl *Var; ///< Null if it sets an exception.
  std::string Name;
};

class StartFinder : public clang::DynamicRecursiveASTVisitor {
public:
  StartFinder(clang::ASTContext &Context, Findings &Found)
      : SM(Context.getSourceManager()), LO(Context.getLangOpts()),
        Found(Found) {}

  bool VisitDeclStmt(clang::DeclStmt *S) override {
    for (const clang::Decl *D : S->decls())
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D))
        if (const clang::CallExpr *Call = callIn(V->getInit()))
          add(S, *Call, V);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *B) override {
    if (B->getOpcode() == clang::BO_Assign)
      if (const clang::CallExpr *Call = callIn(B->getRHS()))
        if (const clang::ValueDecl *V = variableIn(B->getLHS()))
          add(B, *Call, V);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *E) override {
    std::string Name = calledName(*E, SM, LO);
    if (Found.facts().Raise.contains(Name) && Found.codeAt(E->getBeginLoc()))
      Starts.push_back({E, E, nullptr, std::move(Name)});
    return true;
  }

  std::vector<Start> Starts;

private:
  void add(const clang::Stmt *At, const clang::CallExpr &Call,
           const clang::ValueDecl *V) {
    std::string Name = calledName(Call, SM, LO);
    if (Found.codeAt(Call.getBeginLoc()) &&
        Found.facts().NewReference.contains(Name))
      Starts.push_back({At, &Call, V, std::move(Name)});
  }

  const clang::SourceManager &SM;
  const clang::LangOptions &LO;
  Findings &Found;
};

/// Follows the paths through one generated function that holds authors' blocks.
class Paths {
public:
  Paths(const clang::FunctionDecl &F, clang::ASTContext &Context,
        const std::string &FailureVariable, Findings &Found)
      : Context(Context), U(*F.getBody(), Context, Found.facts()),
        FailureVariable(FailureVariable), Found(Found) {
    clang::CFG::BuildOptions Options;
    Options.setAllAlwaysAdd();
    Graph = clang::CFG::buildCFG(&F, F.getBody(), &Context, Options);
    if (!Graph)
      return;
    for (const clang::CFGBlock *B : *Graph)
      for (unsigned I = 0; B && I != B->size(); ++I)
        if (auto S = (*B)[I].getAs<clang::CFGStmt>())
          Places[S->getStmt()] = {B, I};
  }

  void follow(const Start &S) {
    if (!Graph || !Places.count(S.At))
      return;
    if (!S.Var)
      return followException(S);
    followResult(S);
    // A variable declared outside of the block has its own cleanup.
    if (Found.codeAt(S.Var->getLocation()) ==
        Found.codeAt(S.Call->getBeginLoc()))
      followReference(S);
  }

private:
  enum class Next { Go, Stop };
  /// Called for each statement; \p Outside is true past the block's end.
  using Step = std::function<Next(const clang::Stmt &S, bool Outside)>;
  /// Returns whether to follow an edge of a condition.
  using Edge = std::function<bool(const clang::Expr &Condition, bool Taken)>;

  void walk(const Start &From, const Step &See, const Edge &Follow) {
    const Region *Home = Found.codeAt(From.Call->getBeginLoc());
    auto [B, I] = Places.lookup(From.At);
    Seen.clear();
    walkBlock(*B, I + 1, Home, See, Follow);
  }

  void walkBlock(const clang::CFGBlock &First, unsigned I, const Region *Home,
                 const Step &See, const Edge &Follow) {
    llvm::SmallVector<std::pair<const clang::CFGBlock *, unsigned>, 8> Open = {
        {&First, I}};
    while (!Open.empty()) {
      auto [B, At] = Open.pop_back_val();
      Next N = Next::Go;
      for (; At != B->size() && N == Next::Go; ++At)
        if (auto S = (*B)[At].getAs<clang::CFGStmt>())
          N = visit(*S->getStmt(), Home, See);
      if (N == Next::Go)
        addSuccessors(*B, Follow, Open);
    }
  }

  template <typename List>
  void addSuccessors(const clang::CFGBlock &B, const Edge &Follow, List &Open) {
    const auto *Condition = B.succ_size() == 2 ? B.getLastCondition() : nullptr;
    unsigned Index = 0;
    for (const clang::CFGBlock::AdjacentBlock &Successor : B.succs()) {
      bool Taken = Index++ == 0;
      const clang::CFGBlock *To = Successor.getReachableBlock();
      if (!To || (Condition && !Follow(*Condition, Taken)))
        continue;
      if (Seen.insert(To).second)
        Open.push_back({To, 0});
    }
  }

  Next visit(const clang::Stmt &S, const Region *Home, const Step &See) {
    if (S.getBeginLoc().isInvalid())
      return Next::Go;
    bool Outside = Found.regionAt(S.getBeginLoc()) != Home;
    Next N = See(S, Outside);
    return Outside ? Next::Stop : N;
  }

  bool fails(const clang::Stmt &S) const {
    const auto *B = llvm::dyn_cast<clang::BinaryOperator>(&S);
    const clang::ValueDecl *D =
        B && B->isAssignmentOp() ? variableIn(B->getLHS()) : nullptr;
    return D && D->getDeclName().isIdentifier() &&
           D->getName() == FailureVariable;
  }
  std::string called(const clang::Stmt &S) const {
    const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S);
    return Call ? calledName(*Call, Context.getSourceManager(),
                             Context.getLangOpts())
                : "";
  }
  static bool leaves(const clang::Stmt &S) {
    return llvm::isa<clang::ReturnStmt>(S);
  }

  void followException(const Start &S) {
    bool Told = false;
    walk(
        S,
        [&](const clang::Stmt &At, bool Outside) {
          if (Outside && !Told) {
            Told = true;
            tellOfException(S);
          }
          bool Ends = fails(At) || leaves(At) ||
                      Found.facts().Clear.contains(called(At));
          return Told || Ends ? Next::Stop : Next::Go;
        },
        [](const clang::Expr &, bool) { return true; });
  }

  void tellOfException(const Start &S) {
    clang::SourceLocation Loc = S.Call->getBeginLoc();
    std::string Fail = Found.failAt(Loc);
    clinch::Diagnostic *D = Found.add(
        Loc, "unused-fail",
        "`" + S.Name +
            "` sets an exception, and the block goes on as if nothing had "
            "failed; write `" +
            Fail + "` after it");
    clang::SourceLocation End = Found.afterSemicolon(S.Call->getEndLoc());
    if (D && End.isValid() && U.isOwnStatement(*S.Call))
      Found.fix(*D, End, End, " " + Fail);
  }

  void followResult(const Start &S) {
    bool Told = false;
    auto Tell = [&](clang::SourceLocation Where, const char *What) {
      Told = true;
      clinch::Diagnostic *D =
          Found.add(S.Call->getBeginLoc(), "unchecked-result",
                    "`" + S.Name + "` returns NULL when it fails, and `" +
                        S.Var->getName().str() + "` " + What +
                        " before anything looks whether it did");
      if (D && Where.isValid() && Found.regionAt(Where))
        Found.note(*D, Where, "used here");
    };
    walk(
        S,
        [&](const clang::Stmt &At, bool Outside) {
          if (Told || Found.facts().IsRaised.contains(called(At)))
            return Next::Stop;
          if (Outside) {
            Tell({}, "leaves the block");
            return Next::Stop;
          }
          if (fails(At) || leaves(At))
            return Next::Stop;
          switch (U.of(At, *S.Var)) {
          case Use::None:
            return Next::Go;
          case Use::Needed:
          case Use::Borrowed:
            Tell(At.getBeginLoc(), "is used");
            return Next::Stop;
          default:
            return Next::Stop;
          }
        },
        [&](const clang::Expr &Condition, bool) {
          return !mentions(Condition, *S.Var);
        });
  }

  void followReference(const Start &S) {
    bool Told = false;
    walk(
        S,
        [&](const clang::Stmt &At, bool Outside) {
          if (Told || leaves(At) || Outside)
            return Next::Stop;
          if (fails(At)) {
            Told = true;
            tellOfLeak(S, At);
            return Next::Stop;
          }
          Use How = U.of(At, *S.Var);
          bool Kept = How == Use::None || How == Use::Needed ||
                      How == Use::Borrowed || How == Use::Tested;
          return Kept ? Next::Go : Next::Stop;
        },
        [&](const clang::Expr &Condition, bool Taken) {
          // Nothing leaks if the result is NULL.
          if (asksIfRaised(Condition))
            return !Taken;
          std::optional<bool> Null = saysNull(Condition, *S.Var, Context);
          return !Null || *Null != Taken;
        });
  }

  void tellOfLeak(const Start &S, const clang::Stmt &Failing) {
    clinch::Diagnostic *D =
        Found.add(S.Call->getBeginLoc(), "leaked-reference",
                  "the new reference in `" + S.Var->getName().str() +
                      "` leaks if the block fails; release it there with `" +
                      Found.facts().Release + "`");
    if (D)
      Found.note(*D, Failing.getBeginLoc(), "it fails here");
  }

  bool asksIfRaised(const clang::Stmt &S) const {
    if (Found.facts().IsRaised.contains(called(S)))
      return true;
    return llvm::any_of(S.children(), [&](const clang::Stmt *Child) {
      return Child && asksIfRaised(*Child);
    });
  }

  clang::ASTContext &Context;
  Uses U;
  const std::string &FailureVariable;
  Findings &Found;
  std::unique_ptr<clang::CFG> Graph;
  llvm::DenseMap<const clang::Stmt *,
                 std::pair<const clang::CFGBlock *, unsigned>>
      Places;
  llvm::SmallPtrSet<const clang::CFGBlock *, 32> Seen;
};

class FunctionVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  FunctionVisitor(clang::ASTContext &Context,
                  const std::string &FailureVariable, Findings &Found)
      : Context(Context), FailureVariable(FailureVariable), Found(Found) {}

  bool VisitFunctionDecl(clang::FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody() || F->isTemplated())
      return true;
    StartFinder Finder(Context, Found);
    Finder.TraverseStmt(F->getBody());
    if (Finder.Starts.empty())
      return true;
    Paths W(*F, Context, FailureVariable, Found);
    for (const Start &S : Finder.Starts)
      W.follow(S);
    return true;
  }

private:
  clang::ASTContext &Context;
  const std::string &FailureVariable;
  Findings &Found;
};

} // namespace

void clinch::engine::checkPaths(llvm::ArrayRef<clang::Decl *> Declarations,
                                clang::ASTContext &Context,
                                const std::string &FailureVariable,
                                Findings &Found) {
  FunctionVisitor V(Context, FailureVariable, Found);
  for (clang::Decl *D : Declarations)
    V.TraverseDecl(D);
}
