// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What few lanes of a vector need.

#include "RareLanes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace clinch::engine;
using namespace llvm;

namespace {

/// Instructions of one block that only selects with one condition need, each in
/// the same one of its arms.
class RarePart {
public:
  /// Finds what belongs to \p Root, which reads a table. False if something
  /// else needs it.
  bool find(Instruction &Root);

  /// Computes it only if a lane needs it.
  void putBehindBranch();

private:
  bool addExit(SelectInst &S, const Value &Arm);
  bool addUsers(Instruction &I);
  bool isNeededHereAlone(const Instruction &I) const;
  Instruction *firstExit() const;
  bool canStandBefore(const Instruction &I) const;
  Value *whether(IRBuilder<> &B) const;

  BasicBlock *Block = nullptr;
  SmallSetVector<Instruction *, 32> Parts;
  SmallSetVector<SelectInst *, 4> Exits;
  unsigned Arm = 0; ///< The number of the operand: 1 or 2.
};

bool RarePart::addExit(SelectInst &S, const Value &V) {
  if (S.getTrueValue() == S.getFalseValue() || S.getCondition() == &V)
    return false;
  const unsigned Which = S.getTrueValue() == &V ? 1 : 2;
  if (!Exits.empty() &&
      (S.getCondition() != Exits[0]->getCondition() || Which != Arm))
    return false;
  Arm = Which;
  Exits.insert(&S);
  return true;
}

/// Adds what is computed from \p I, up to selects.
bool RarePart::addUsers(Instruction &I) {
  for (User *U : I.users()) {
    auto *By = cast<Instruction>(U);
    if (By->getParent() != Block)
      return false;
    if (auto *S = dyn_cast<SelectInst>(By); S && addExit(*S, I))
      continue;
    if (isa<PHINode>(By) || By->isTerminator() || By->mayHaveSideEffects())
      return false;
    Parts.insert(By);
  }
  return true;
}

bool RarePart::isNeededHereAlone(const Instruction &I) const {
  return !isa<PHINode>(I) && !I.mayHaveSideEffects() && !I.use_empty() &&
         all_of(I.uses(), [this](const Use &U) {
           auto *By = cast<Instruction>(U.getUser());
           return Parts.contains(By) ||
                  (is_contained(Exits, By) && U.getOperandNo() == Arm);
         });
}

Instruction *RarePart::firstExit() const {
  return *min_element(Exits, [](const SelectInst *A, const SelectInst *B) {
    return A->comesBefore(B);
  });
}

/// Whether all that the parts are computed from is known before \p Where.
bool RarePart::canStandBefore(const Instruction &Where) const {
  return all_of(Parts, [&](const Instruction *Part) {
    return all_of(Part->operands(), [&](const Use &U) {
      auto *From = dyn_cast<Instruction>(U);
      return !From || From->getParent() != Block || Parts.contains(From) ||
             From->comesBefore(&Where);
    });
  });
}

bool RarePart::find(Instruction &Root) {
  Block = Root.getParent();
  Parts.insert(&Root);
  for (size_t N = 0; N != Parts.size(); ++N)
    if (!addUsers(*Parts[N]))
      return false;
  if (Exits.empty() || any_of(Exits, [this](SelectInst *S) {
        return Parts.contains(S) || is_contained(Parts, S->getCondition());
      }))
    return false;
  for (Instruction &I : reverse(*Block))
    if (isNeededHereAlone(I))
      Parts.insert(&I);
  return canStandBefore(*firstExit());
}

/// Returns whether any lane needs the parts. A lane that is never stored may be
/// anything, and a branch must not depend on that.
Value *RarePart::whether(IRBuilder<> &B) const {
  Value *Condition = Exits[0]->getCondition();
  if (Arm == 2)
    Condition = B.CreateNot(Condition);
  if (Condition->getType()->isVectorTy())
    Condition = B.CreateOrReduce(Condition);
  return B.CreateFreeze(Condition);
}

void RarePart::putBehindBranch() {
  Instruction *First = firstExit();
  IRBuilder<> B(First);
  MDNode *Unlikely = MDBuilder(B.getContext()).createUnlikelyBranchWeights();
  Instruction *End = SplitBlockAndInsertIfThen(whether(B), First->getIterator(),
                                               /*Unreachable=*/false, Unlikely);
  BasicBlock *Rare = End->getParent(), *Tail = First->getParent();
  for (BasicBlock *From : {Block, Tail})
    for (Instruction &I : make_early_inc_range(*From))
      if (Parts.contains(&I))
        I.moveBefore(End->getIterator());
  for (SelectInst *S : Exits) {
    Value *Needed = S->getOperand(Arm);
    PHINode *Either = PHINode::Create(Needed->getType(), 2, "", Tail->begin());
    Either->addIncoming(Needed, Rare);
    Either->addIncoming(PoisonValue::get(Needed->getType()), Block);
    S->setOperand(Arm, Either);
  }
}

/// Whether \p I reads one of the tables of lib/Math; nothing else is looked at.
bool readsTable(const Instruction &I) {
  const auto *Gather = dyn_cast<IntrinsicInst>(&I);
  const Value *Address = nullptr;
  if (Gather && Gather->getIntrinsicID() == Intrinsic::masked_gather)
    Address = Gather->getArgOperand(0);
  else if (const auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
    Address = Load->getPointerOperand();
  if (!Address)
    return false;
  const auto *Table = dyn_cast<GlobalVariable>(getUnderlyingObject(Address));
  return Table && Table->isConstant() &&
         Table->getName().starts_with("CLINCH_TWO_OVER_PI");
}

class RareLanes : public PassInfoMixin<RareLanes> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    SmallVector<Instruction *, 16> Roots;
    for (Instruction &I : instructions(F))
      if (readsTable(I))
        Roots.push_back(&I);
    for (Instruction *Root : Roots)
      if (RarePart Part; Part.find(*Root))
        Part.putBehindBranch();
    return Roots.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

} // namespace

void clinch::engine::addRareLanes(PassBuilder &Builder) {
  Builder.registerVectorizerEndEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(RareLanes());
      });
}
