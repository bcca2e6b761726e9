// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of sincos.

#include "SineAndCosine.h"

#include "MathCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch::engine;
using llvm::Intrinsic::ID;

namespace {

bool isOurs(const llvm::Type *T) {
  T = T->getScalarType();
  return T->isDoubleTy() || T->isFloatTy();
}

llvm::Value *compute(llvm::IRBuilder<> &B, ID Which, llvm::CallInst &C) {
  return B.CreateUnaryIntrinsic(Which, C.getArgOperand(0));
}

/// Replaces `llvm.sincos`, which returns both.
void splitIntrinsic(llvm::CallInst &C) {
  llvm::IRBuilder<> B(&C);
  llvm::Value *Both = llvm::PoisonValue::get(C.getType());
  Both = B.CreateInsertValue(Both, compute(B, llvm::Intrinsic::sin, C), 0);
  Both = B.CreateInsertValue(Both, compute(B, llvm::Intrinsic::cos, C), 1);
  C.replaceAllUsesWith(Both);
  C.eraseFromParent();
}

/// Stores after the call what it should have stored.
void splitFunction(llvm::CallInst &C, bool KeepsErrno) {
  llvm::IRBuilder<> B(C.getNextNode());
  B.SetCurrentDebugLocation(C.getDebugLoc());
  llvm::Value *Sine = compute(B, llvm::Intrinsic::sin, C);
  llvm::Value *Cosine = compute(B, llvm::Intrinsic::cos, C);
  B.CreateStore(Sine, C.getArgOperand(1));
  B.CreateStore(Cosine, C.getArgOperand(2));
  if (!KeepsErrno)
    C.eraseFromParent();
}

bool isFunction(const llvm::Function &F) {
  const llvm::FunctionType *T = F.getFunctionType();
  if (!F.isDeclaration() || F.isIntrinsic() || T->isVarArg() ||
      T->getNumParams() != 3 || !T->getReturnType()->isVoidTy() ||
      !T->getParamType(1)->isPointerTy() || !T->getParamType(2)->isPointerTy())
    return false;
  return (F.getName() == "sincos" && T->getParamType(0)->isDoubleTy()) ||
         (F.getName() == "sincosf" && T->getParamType(0)->isFloatTy());
}

bool isIntrinsic(const llvm::Function &F) {
  return F.getIntrinsicID() == llvm::Intrinsic::sincos &&
         isOurs(F.getFunctionType()->getParamType(0));
}

} // namespace

void clinch::engine::splitSineAndCosine(llvm::Module &M, bool KeepsErrno) {
  for (llvm::Function &F : llvm::make_early_inc_range(M)) {
    if (!isIntrinsic(F) && !isFunction(F))
      continue;
    for (llvm::User *U : llvm::make_early_inc_range(F.users())) {
      auto *C = llvm::dyn_cast<llvm::CallInst>(U);
      if (!C || C->getCalledFunction() != &F || !isPlain(*C))
        continue;
      if (isIntrinsic(F))
        splitIntrinsic(*C);
      else if (!C->isNoBuiltin() &&
               hasBuiltin(*C->getFunction(), F.getName().str()))
        splitFunction(*C, KeepsErrno);
    }
  }
}
