//===- Alignment.cpp - Loops that store where vectors lie whole -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alignment.h"

#include "VectorLoop.h"
#include "VectorWidth.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace clinch::engine;

namespace {

/// What a loop stores where its place matters: what the nearest cache keeps up
/// with is as fast either way, and what no cache holds waits for the memory.
constexpr uint64_t FewestBytes = 16 << 10, MostBytes = 4 << 20;
/// malloc places arrays so that vectors of this size lie whole.
constexpr uint64_t BytesOfMalloc = 16;

/// Makes of the turns 0, 1, ... of a loop
///
///   - the first few items of turn 0, if the loop is of a size where that
///     matters and they do not lie where a vector begins,
///   - whole turns from there on,
///   - and what is left of the last turn.
class Aligning {
public:
  explicit Aligning(const VectorLoop &L) : L(L) {}

  void run();

private:
  const VectorLoop &L;
  llvm::Value *Missing = nullptr; ///< The number of the first few items.

  llvm::BasicBlock *block(const char *Name, llvm::BasicBlock *Next) const;
  llvm::Value *place(llvm::IRBuilder<> &B) const;
  llvm::Value *missing(llvm::IRBuilder<> &B) const;
  llvm::Value *isFirst(llvm::IRBuilder<> &B) const;
  void copy(llvm::IRBuilder<> &B, llvm::Value *Index,
            llvm::ArrayRef<llvm::Value *> What,
            llvm::ValueToValueMapTy &Map) const;
  void store(llvm::IRBuilder<> &B, llvm::Value *Index, llvm::Value *Mask,
             llvm::ArrayRef<llvm::Value *> What) const;
  void enter();
  void leave();
};

llvm::BasicBlock *Aligning::block(const char *Name,
                                  llvm::BasicBlock *Next) const {
  return llvm::BasicBlock::Create(Next->getContext(), Name, Next->getParent(),
                                  Next);
}

using Instructions = llvm::SmallPtrSet<const llvm::Instruction *, 32>;

/// Adds to \p Needed what \p V is computed from in its block in one turn.
void addNeeds(const llvm::Value *V, const llvm::BasicBlock &Block,
              Instructions &Needed) {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  if (!I || I->getParent() != &Block || llvm::isa<llvm::PHINode>(I) ||
      !Needed.insert(I).second)
    return;
  for (const llvm::Value *Operand : I->operands())
    addNeeds(Operand, Block, Needed);
}

/// Copies what \p What is computed from in the turn at \p Index, and \p What
/// itself; \p Map says where the copies are.
void Aligning::copy(llvm::IRBuilder<> &B, llvm::Value *Index,
                    llvm::ArrayRef<llvm::Value *> What,
                    llvm::ValueToValueMapTy &Map) const {
  Instructions Needed;
  for (const llvm::Value *V : What)
    addNeeds(V, *L.Body, Needed);
  Map[L.Index] = Index;
  for (llvm::Instruction &I : *L.Body) {
    if (!Needed.contains(&I))
      continue;
    llvm::Instruction *Copy = I.clone();
    B.Insert(Copy);
    llvm::RemapInstruction(Copy, Map,
                           llvm::RF_NoModuleLevelChanges |
                               llvm::RF_IgnoreMissingLocals);
    Map[&I] = Copy;
  }
}

/// Emits where the first item is stored.
llvm::Value *Aligning::place(llvm::IRBuilder<> &B) const {
  llvm::Value *Pointer = L.Stores[0]->getPointerOperand();
  llvm::ValueToValueMapTy Map;
  copy(B, B.getInt64(0), Pointer, Map);
  llvm::Value *Copy = Map.lookup(Pointer);
  return Copy ? Copy : Pointer;
}

llvm::Value *Aligning::missing(llvm::IRBuilder<> &B) const {
  llvm::Value *Matters =
      B.CreateICmpULT(B.CreateSub(L.End, B.getInt64(FewestBytes / L.ItemSize)),
                      B.getInt64((MostBytes - FewestBytes) / L.ItemSize));
  llvm::Value *Address = B.CreatePtrToInt(place(B), B.getInt64Ty());
  llvm::Value *Bytes =
      B.CreateAnd(B.CreateNeg(Address), L.Lanes * L.ItemSize - 1);
  return B.CreateSelect(Matters, B.CreateLShr(Bytes, llvm::Log2_64(L.ItemSize)),
                        B.getInt64(0), "missing");
}

/// Emits for each lane of a vector whether it is one of the first few.
llvm::Value *Aligning::isFirst(llvm::IRBuilder<> &B) const {
  llvm::Type *T = B.getIntNTy(8 * L.ItemSize);
  llvm::SmallVector<llvm::Constant *> Numbers;
  for (uint64_t Lane = 0; Lane < L.Lanes; ++Lane)
    Numbers.push_back(llvm::ConstantInt::get(T, Lane));
  return B.CreateICmpULT(
      llvm::ConstantVector::get(Numbers),
      B.CreateVectorSplat(L.Lanes, B.CreateTrunc(Missing, T)));
}

/// Emits the stores \p What of the turn at \p Index, but of its first vector
/// only the lanes in \p Mask.
void Aligning::store(llvm::IRBuilder<> &B, llvm::Value *Index,
                     llvm::Value *Mask,
                     llvm::ArrayRef<llvm::Value *> What) const {
  llvm::ValueToValueMapTy Map;
  copy(B, Index, What, Map);
  auto *Whole = llvm::cast<llvm::StoreInst>(Map[L.Stores[0]]);
  B.SetInsertPoint(Whole);
  B.CreateMaskedStore(Whole->getValueOperand(), Whole->getPointerOperand(),
                      Whole->getAlign(), Mask)
      ->setAAMetadata(Whole->getAAMetadata());
  B.SetInsertPoint(Whole->getParent());
  Whole->eraseFromParent();
}

/// Emits what comes before the whole turns.
void Aligning::enter() {
  llvm::BasicBlock *Check = block("align", L.Body);
  llvm::BasicBlock *First = block("align.first", L.Body);
  L.Before->getTerminator()->replaceSuccessorWith(L.Body, Check);
  llvm::IRBuilder<> B(Check);
  Missing = missing(B);
  llvm::Value *IsAligned = B.CreateIsNull(Missing);
  llvm::Value *LastTurn = B.CreateSub(L.End, B.getInt64(L.Step));
  L.Test->setOperand(
      1, B.CreateSelect(IsAligned, L.End, B.CreateAdd(LastTurn, Missing)));
  B.CreateCondBr(IsAligned, L.Body, First);
  B.SetInsertPoint(First);
  store(B, B.getInt64(0), isFirst(B), {L.Stores[0]});
  B.CreateBr(L.Body);
  L.Index->replaceIncomingBlockWith(L.Before, Check);
  L.Index->addIncoming(Missing, First);
}

/// Emits what comes behind them.
void Aligning::leave() {
  llvm::BasicBlock *Done = block("aligned", L.After);
  llvm::BasicBlock *Rest = block("align.rest", L.After);
  llvm::IRBuilder<> B(Done);
  B.CreateCondBr(B.CreateIsNull(Missing), L.After, Rest);
  B.SetInsertPoint(Rest);
  std::vector<llvm::Value *> All(L.Stores.begin(), L.Stores.end());
  store(B, B.CreateSub(L.End, B.getInt64(L.Step)), B.CreateNot(isFirst(B)),
        All);
  B.CreateBr(L.After);
  L.Body->getTerminator()->replaceSuccessorWith(L.After, Done);
  for (llvm::PHINode &P : L.After->phis()) {
    P.addIncoming(P.getIncomingValueForBlock(L.Body), Rest);
    P.replaceIncomingBlockWith(L.Body, Done);
  }
}

void Aligning::run() {
  // What is known of the places is known of turns that begin at 0.
  for (llvm::Instruction &I : *L.Body)
    if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
      Load->setAlignment(llvm::Align());
    else if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I))
      Store->setAlignment(llvm::Align());
  enter();
  leave();
}

/// Whether the place of what \p L stores matters, and it can be had.
bool isWorthAligning(const VectorLoop &L,
                     const llvm::TargetTransformInfo &TTI) {
  uint64_t Bytes = L.Lanes * L.ItemSize;
  if ((L.ItemSize != 4 && L.ItemSize != 8) || !llvm::isPowerOf2_64(Bytes) ||
      Bytes <= BytesOfMalloc || !waitsForMemory(*L.Body, L.Stores.size()))
    return false;
  if (const auto *End = llvm::dyn_cast<llvm::ConstantInt>(L.End);
      End && (End->getValue().ult(FewestBytes / L.ItemSize) ||
              End->getValue().uge(MostBytes / L.ItemSize)))
    return false;
  return TTI.isLegalMaskedStore(L.Stores[0]->getValueOperand()->getType(),
                                llvm::Align(),
                                L.Stores[0]->getPointerAddressSpace());
}

class StoreAlignment : public llvm::PassInfoMixin<StoreAlignment> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

llvm::PreservedAnalyses StoreAlignment::run(llvm::Function &F,
                                            llvm::FunctionAnalysisManager &AM) {
  if (F.hasOptSize())
    return llvm::PreservedAnalyses::all();
  const auto &TTI = AM.getResult<llvm::TargetIRAnalysis>(F);
  bool Changed = false;
  for (llvm::BasicBlock &B : F)
    if (auto L = VectorLoop::recognise(B); L && isWorthAligning(*L, TTI)) {
      Aligning(*L).run();
      Changed = true;
    }
  return Changed ? llvm::PreservedAnalyses::none()
                 : llvm::PreservedAnalyses::all();
}

} // namespace

void clinch::engine::addStoreAlignment(llvm::PassBuilder &Builder) {
  Builder.registerVectorizerEndEPCallback(
      [](llvm::FunctionPassManager &FPM, llvm::OptimizationLevel) {
        FPM.addPass(StoreAlignment());
      });
}
