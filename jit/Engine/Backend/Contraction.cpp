// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contracting products and sums.

#include "Contraction.h"

#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

/// Whether \p I allows contraction and no reassociation.
bool contracts(const Instruction &I) {
  return isa<FPMathOperator>(I) && I.hasAllowContract() && !I.hasAllowReassoc();
}

bool mayContract(const Instruction &I, const Instruction &Product) {
  return I.getParent() == Product.getParent() && contracts(I);
}

/// Whether \p U adds or subtracts \p Term and a value that is not made of the
/// product.
bool isSum(const User *U, const Value *Term, const Instruction &Product) {
  const auto *I = dyn_cast<BinaryOperator>(U);
  if (!I || !mayContract(*I, Product) ||
      (I->getOpcode() != Instruction::FAdd &&
       I->getOpcode() != Instruction::FSub))
    return false;
  const Value *Other = I->getOperand(I->getOperand(0) == Term ? 1 : 0);
  return Other != Term && Other != &Product;
}

/// Whether \p U, or the sum that uses its negation, can be contracted with \p
/// Product.
bool takes(const User *U, const Instruction &Product) {
  const auto *I = cast<Instruction>(U);
  if (I->getOpcode() == Instruction::FNeg)
    return mayContract(*I, Product) && I->hasOneUse() &&
           isSum(I->user_back(), I, Product);
  return isSum(I, &Product, Product);
}

/// Replaces \p Product in \p Sum by \p A * \p B or its negation.
void fuse(Instruction &Sum, Value *Product, Value *A, Value *B, bool Negated) {
  IRBuilder<> At(&Sum);
  Value *Rest = Sum.getOperand(Sum.getOperand(0) == Product ? 1 : 0);
  if (Sum.getOpcode() == Instruction::FSub) {
    if (Sum.getOperand(0) == Product)
      Rest = At.CreateFNeg(Rest);
    else
      Negated = !Negated;
  }
  if (Negated)
    A = At.CreateFNeg(A);
  Value *Fused =
      At.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {A, B, Rest});
  Sum.replaceAllUsesWith(Fused);
  Sum.eraseFromParent();
}

void contractProduct(Instruction &Product) {
  SmallVector<User *, 4> Users(Product.users());
  if (!all_of(Users, [&](const User *U) { return takes(U, Product); }))
    return;
  Value *A = Product.getOperand(0), *B = Product.getOperand(1);
  for (User *U : Users) {
    auto *I = cast<Instruction>(U);
    if (!takes(I, Product)) // Fused before: one sum used it twice.
      continue;
    if (I->getOpcode() == Instruction::FNeg) {
      fuse(*I->user_back(), I, A, B, /*Negated=*/true);
      I->eraseFromParent();
    } else {
      fuse(*I, &Product, A, B, /*Negated=*/false);
    }
  }
  if (Product.use_empty())
    Product.eraseFromParent();
}

void contractProducts(Function &F) {
  SmallVector<Instruction *, 16> Products;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::FMul && contracts(I) && !I.use_empty())
      Products.push_back(&I);
  for (Instruction *Product : Products)
    contractProduct(*Product);
}

/// Lowers `llvm.fmuladd`, an expression's own a * b + c.
void settle(IntrinsicInst &MulAdd, bool HasFMA) {
  IRBuilder<> B(&MulAdd);
  B.setFastMathFlags(MulAdd.getFastMathFlags());
  Value *A = MulAdd.getArgOperand(0), *C = MulAdd.getArgOperand(1),
        *D = MulAdd.getArgOperand(2);
  Value *Result =
      HasFMA ? B.CreateIntrinsic(Intrinsic::fma, {A->getType()}, {A, C, D})
             : B.CreateFAdd(B.CreateFMul(A, C), D);
  MulAdd.replaceAllUsesWith(Result);
  MulAdd.eraseFromParent();
}

bool hasFMA(const Function &F, const TargetMachine &TM) {
  return TM.getSubtargetImpl(F)->checkFeatures("+fma");
}

IntrinsicInst *asMulAdd(Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->getIntrinsicID() == Intrinsic::fmuladd
             ? Intrinsic
             : nullptr;
}

} // namespace

bool clinch::engine::mayContract(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if ((I.getOpcode() == Instruction::FMul && contracts(I)) ||
          asMulAdd(const_cast<Instruction &>(I)))
        return true;
  return false;
}

void clinch::engine::contract(Module &M, const TargetMachine &TM) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    bool HasFMA = hasFMA(F, TM);
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (IntrinsicInst *MulAdd = asMulAdd(I))
        settle(*MulAdd, HasFMA);
    if (HasFMA)
      contractProducts(F);
    // Stop later passes from contracting more.
    for (Instruction &I : instructions(F))
      if (contracts(I))
        I.setHasAllowContract(false);
  }
}
