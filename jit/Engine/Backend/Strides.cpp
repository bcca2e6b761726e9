// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with strides known at run time.

#include "Strides.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool freezeOperand(Instruction &Product, Loop &L, ScalarEvolution &SE) {
  for (unsigned I : {0u, 1u}) {
    auto *Stride = dyn_cast<Instruction>(Product.getOperand(I));
    if (!Stride || !L.isLoopInvariant(Stride) ||
        L.isLoopInvariant(Product.getOperand(1 - I)) ||
        isa<SCEVUnknown>(SE.getSCEV(Stride)))
      continue;
    auto Where = Stride->getInsertionPointAfterDef();
    if (!Where)
      continue;
    IRBuilder<> B((*Where)->getParent(), *Where);
    Value *Frozen = B.CreateFreeze(Stride, Stride->getName());
    Stride->replaceUsesWithIf(Frozen, [&](Use &U) {
      auto *User = dyn_cast<Instruction>(U.getUser());
      return User && L.contains(User);
    });
    return true;
  }
  return false;
}

/// Makes \p Offset, in bytes, `Index * Scale`: the vectoriser looks for strides
/// in the index of a pointer to items.
void replaceOffset(Instruction &Offset, Value *Index, uint64_t Scale) {
  IRBuilder<> B(&Offset);
  for (User *U : make_early_inc_range(Offset.users())) {
    auto *Pointer = dyn_cast<GetElementPtrInst>(U);
    if (Pointer && Pointer->getSourceElementType()->isIntegerTy(8)) {
      Pointer->setSourceElementType(ArrayType::get(B.getInt8Ty(), Scale));
      Pointer->setNoWrapFlags(GEPNoWrapFlags::none());
      Pointer->setOperand(1, Index);
    }
  }
  if (!Offset.use_empty())
    Offset.replaceAllUsesWith(B.CreateMul(Index, B.getInt64(Scale)));
}

/// InstCombine writes the offset `(long)((int)Stride * (int)I) * 8` as
/// `(Stride * I << 32) >> 29`, which hides the stride.
bool freezeShifted(Instruction &Offset, Loop &L) {
  Value *Stride, *Index;
  uint64_t Left, Right;
  auto Width = m_ConstantInt(Left);
  auto Wide =
      m_CombineOr(m_Shl(m_Mul(m_Value(Stride), m_Value(Index)), Width),
                  m_c_Mul(m_Shl(m_Value(Stride), Width), m_Value(Index)));
  if (!Offset.getType()->isIntegerTy(64) ||
      !match(&Offset, m_AShr(Wide, m_ConstantInt(Right))))
    return false;
  if (L.isLoopInvariant(Index))
    std::swap(Stride, Index);
  if (!L.isLoopInvariant(Stride) || L.isLoopInvariant(Index) ||
      !L.getLoopPreheader() || Left >= 64 || Right > Left)
    return false;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Type *Narrow = B.getIntNTy(64 - Left);
  Value *Frozen = B.CreateFreeze(B.CreateTrunc(Stride, Narrow));
  B.SetInsertPoint(&Offset);
  Value *Product = B.CreateMul(Frozen, B.CreateTrunc(Index, Narrow));
  replaceOffset(Offset, B.CreateSExt(Product, B.getInt64Ty()),
                uint64_t(1) << (Left - Right));
  return true;
}

bool freezeIn(Loop &L, ScalarEvolution &SE) {
  bool Changed = false;
  for (auto Kind : {Instruction::AShr, Instruction::Mul})
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (I.getOpcode() == Kind)
          Changed |= Kind == Instruction::Mul ? freezeOperand(I, L, SE)
                                              : freezeShifted(I, L);
  if (Changed)
    SE.forgetLoop(&L);
  return Changed;
}

/// Replaces strides by `freeze stride`, which is opaque to ScalarEvolution.
class StrideFreezing : public PassInfoMixin<StrideFreezing> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    auto &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
    bool Changed = false;
    for (Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      Changed |= L->isInnermost() && freezeIn(*L, SE);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void clinch::engine::addStrideFreezing(PassBuilder &Builder) {
  Builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(StrideFreezing());
      });
}
