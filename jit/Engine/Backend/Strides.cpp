// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with strides known at run time.

#include "Strides.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Replaces strides by `freeze stride`, which is opaque to ScalarEvolution.
class StrideFreezing : public llvm::PassInfoMixin<StrideFreezing> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);

private:
  bool freezeIn(llvm::Loop &L, llvm::ScalarEvolution &SE);
  bool freezeOperand(llvm::Instruction &Product, llvm::Loop &L,
                     llvm::ScalarEvolution &SE);
};

bool StrideFreezing::freezeOperand(llvm::Instruction &Product, llvm::Loop &L,
                                   llvm::ScalarEvolution &SE) {
  for (unsigned I : {0u, 1u}) {
    auto *Stride = llvm::dyn_cast<llvm::Instruction>(Product.getOperand(I));
    if (!Stride || !L.isLoopInvariant(Stride) ||
        L.isLoopInvariant(Product.getOperand(1 - I)) ||
        llvm::isa<llvm::SCEVUnknown>(SE.getSCEV(Stride)))
      continue;
    auto Where = Stride->getInsertionPointAfterDef();
    if (!Where)
      continue;
    llvm::IRBuilder<> B((*Where)->getParent(), *Where);
    llvm::Value *Frozen = B.CreateFreeze(Stride, Stride->getName());
    Stride->replaceUsesWithIf(Frozen, [&](llvm::Use &U) {
      auto *User = llvm::dyn_cast<llvm::Instruction>(U.getUser());
      return User && L.contains(User);
    });
    return true;
  }
  return false;
}

bool StrideFreezing::freezeIn(llvm::Loop &L, llvm::ScalarEvolution &SE) {
  if (!L.isInnermost())
    return false;
  bool Changed = false;
  for (llvm::BasicBlock *Block : L.blocks())
    for (llvm::Instruction &I : *Block)
      if (I.getOpcode() == llvm::Instruction::Mul)
        Changed |= freezeOperand(I, L, SE);
  if (Changed)
    SE.forgetLoop(&L);
  return Changed;
}

llvm::PreservedAnalyses StrideFreezing::run(llvm::Function &F,
                                            llvm::FunctionAnalysisManager &AM) {
  auto &Loops = AM.getResult<llvm::LoopAnalysis>(F);
  if (Loops.empty())
    return llvm::PreservedAnalyses::all();
  auto &SE = AM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    Changed |= freezeIn(*L, SE);
  if (!Changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses Kept;
  Kept.preserveSet<llvm::CFGAnalyses>();
  Kept.preserve<llvm::LoopAnalysis>();
  return Kept;
}

} // namespace

void clinch::engine::addStrideFreezing(llvm::PassBuilder &Builder) {
  Builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &FPM, llvm::OptimizationLevel) {
        FPM.addPass(StrideFreezing());
      });
}
