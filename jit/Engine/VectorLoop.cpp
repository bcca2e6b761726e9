//===- VectorLoop.cpp - A loop as the vectoriser makes it -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorLoop.h"

#include "VectorWidth.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace clinch::engine;

/// Whether the vectoriser has made this loop.
static bool isVectorised(const llvm::MDNode &Loop) {
  auto IsMark = [](const llvm::MDOperand &O) {
    const auto *Property = llvm::dyn_cast<llvm::MDNode>(O);
    if (!Property || Property->getNumOperands() == 0)
      return false;
    const auto *Name = llvm::dyn_cast<llvm::MDString>(Property->getOperand(0));
    return Name && Name->getString() == "llvm.loop.isvectorized";
  };
  return llvm::any_of(llvm::drop_begin(Loop.operands()), IsMark);
}

bool VectorLoop::isInBody(const llvm::Value *V) const {
  const auto *I = llvm::dyn_cast<llvm::Instruction>(V);
  return I && I->getParent() == Body;
}

/// Finds Index and what counts it, the only variable of the loop.
bool VectorLoop::findCount() {
  auto *Exit = llvm::dyn_cast<llvm::BranchInst>(Body->getTerminator());
  Index = llvm::dyn_cast<llvm::PHINode>(&Body->front());
  if (!Exit || !Exit->isConditional() || !Index ||
      !Index->getType()->isIntegerTy(64) || Index->getNumIncomingValues() != 2)
    return false;
  unsigned Back = Index->getBasicBlockIndex(Body);
  auto *First =
      llvm::dyn_cast<llvm::ConstantInt>(Index->getIncomingValue(1 - Back));
  auto *Next =
      llvm::dyn_cast<llvm::BinaryOperator>(Index->getIncomingValue(Back));
  if (!First || !First->isZero() || !Next ||
      Next->getOpcode() != llvm::Instruction::Add ||
      Next->getOperand(0) != Index)
    return false;
  auto *By = llvm::dyn_cast<llvm::ConstantInt>(Next->getOperand(1));
  Test = llvm::dyn_cast<llvm::ICmpInst>(Exit->getCondition());
  if (!By || !Test || !Test->hasOneUse() ||
      Test->getPredicate() != llvm::ICmpInst::ICMP_EQ ||
      Test->getOperand(0) != Next || Exit->getSuccessor(1) != Body)
    return false;
  Before = Index->getIncomingBlock(1 - Back);
  After = Exit->getSuccessor(0);
  Step = By->getZExtValue();
  End = Test->getOperand(1);
  return !isInBody(End);
}

/// Puts the stores in the order of their places, and whether these lie one
/// behind the other.
bool VectorLoop::sortStores() {
  const llvm::Value *Base = nullptr;
  std::map<int64_t, llvm::StoreInst *> Places;
  for (llvm::StoreInst *S : Stores) {
    llvm::APInt Offset(64, 0);
    const llvm::Value *Root =
        S->getPointerOperand()->stripAndAccumulateConstantOffsets(
            Body->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    if ((Base && Root != Base) || S->getValueOperand()->getType() !=
                                      Stores[0]->getValueOperand()->getType())
      return false;
    Base = Root;
    Places[Offset.getSExtValue()] = S;
  }
  Stores.clear();
  for (auto [Place, S] : Places) {
    auto Behind = static_cast<int64_t>(Stores.size() * Lanes * ItemSize);
    if (Place != Places.begin()->first + Behind)
      return false;
    Stores.push_back(S);
  }
  return Stores.size() * Lanes == Step;
}

bool VectorLoop::findStores() {
  for (llvm::Instruction &I : *Body)
    if (auto *S = llvm::dyn_cast<llvm::StoreInst>(&I))
      Stores.push_back(S);
  auto *Vector = Stores.empty() ? nullptr
                                : llvm::dyn_cast<llvm::FixedVectorType>(
                                      Stores[0]->getValueOperand()->getType());
  if (!Vector)
    return false;
  Lanes = Vector->getNumElements();
  ItemSize = Body->getDataLayout()
                 .getTypeStoreSize(Vector->getElementType())
                 .getFixedValue();
  return sortStores();
}

/// Whether \p I would be right for any Index. The vectoriser and those who come
/// after it know that Index is a multiple of Step, and may have taken `|` for
/// `+`.
bool VectorLoop::isPlain(const llvm::Instruction &I) const {
  if (&I == Index || &I == Test || I.isTerminator())
    return true;
  if (const auto *S = llvm::dyn_cast<llvm::StoreInst>(&I))
    return S->isSimple();
  if (const auto *L = llvm::dyn_cast<llvm::LoadInst>(&I))
    return L->isSimple() && L->getType()->isVectorTy();
  if (I.getType()->isVectorTy())
    return !I.mayReadOrWriteMemory() && !llvm::isa<llvm::PHINode>(I) &&
           llvm::none_of(I.operands(), [&](const llvm::Value *V) {
             return isInBody(V) && !V->getType()->isVectorTy();
           });
  switch (I.getOpcode()) {
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    return true;
  default:
    return false;
  }
}

std::optional<VectorLoop> VectorLoop::recognise(llvm::BasicBlock &B) {
  const llvm::MDNode *Loop =
      B.getTerminator()->getMetadata(llvm::LLVMContext::MD_loop);
  VectorLoop L(B);
  if (!Loop || !isVectorised(*Loop) || !L.findCount() || !L.findStores())
    return std::nullopt;
  for (const llvm::Instruction &I : B)
    if (!L.isPlain(I) || llvm::any_of(I.users(), [&](const llvm::User *U) {
          return !L.isInBody(U);
        }))
      return std::nullopt;
  return L;
}
