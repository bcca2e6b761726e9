//===- Contract.cpp - Products and sums in one -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contract.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

bool mayContract(const Instruction &I, const Instruction &Product) {
  return I.getParent() == Product.getParent() && isa<FPMathOperator>(I) &&
         I.hasAllowContract();
}

/// A sum or difference of \p Term and of something else that is not made of
/// the product.
bool isSum(const User *U, const Value *Term, const Instruction &Product) {
  const auto *I = dyn_cast<BinaryOperator>(U);
  if (!I || !mayContract(*I, Product) ||
      (I->getOpcode() != Instruction::FAdd &&
       I->getOpcode() != Instruction::FSub))
    return false;
  const Value *Other = I->getOperand(I->getOperand(0) == Term ? 1 : 0);
  return Other != Term && Other != &Product;
}

/// Whether \p U, or what it is the negative for, can be rounded together with
/// the product that it uses.
bool takes(const User *U, const Instruction &Product) {
  const auto *I = cast<Instruction>(U);
  if (I->getOpcode() == Instruction::FNeg)
    return mayContract(*I, Product) && I->hasOneUse() &&
           isSum(I->user_back(), I, Product);
  return isSum(I, &Product, Product);
}

/// Puts \p A * \p B, or its negation, into \p Sum in the place of \p Product.
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
    if (!takes(I, Product)) // Two were of one sum.
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

} // namespace

void clinch::engine::contract(Module &M) {
  for (Function &F : M) {
    SmallVector<Instruction *, 16> Products;
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::FMul && I.hasAllowContract() &&
          !I.use_empty())
        Products.push_back(&I);
    for (Instruction *Product : Products)
      contractProduct(*Product);
    // Nobody contracts more.
    for (Instruction &I : instructions(F))
      if (isa<FPMathOperator>(I) && I.hasAllowContract())
        I.setHasAllowContract(false);
  }
}
