// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of sincos.

#include "SineAndCosine.h"

#include "MathCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch::engine;
using namespace llvm;

namespace {

bool isOurs(const Type *T) {
  T = T->getScalarType();
  return T->isDoubleTy() || T->isFloatTy();
}

Value *compute(IRBuilder<> &B, Intrinsic::ID Which, CallInst &C) {
  return B.CreateUnaryIntrinsic(Which, C.getArgOperand(0));
}

/// Replaces `llvm.sincos`, which returns both.
void splitIntrinsic(CallInst &C) {
  IRBuilder<> B(&C);
  Value *Both = PoisonValue::get(C.getType());
  Both = B.CreateInsertValue(Both, compute(B, Intrinsic::sin, C), 0);
  Both = B.CreateInsertValue(Both, compute(B, Intrinsic::cos, C), 1);
  C.replaceAllUsesWith(Both);
  C.eraseFromParent();
}

/// Stores after the call what it should have stored.
void splitFunction(CallInst &C, bool KeepsErrno) {
  IRBuilder<> B(C.getNextNode());
  B.SetCurrentDebugLocation(C.getDebugLoc());
  Value *Sine = compute(B, Intrinsic::sin, C);
  Value *Cosine = compute(B, Intrinsic::cos, C);
  B.CreateStore(Sine, C.getArgOperand(1));
  B.CreateStore(Cosine, C.getArgOperand(2));
  if (!KeepsErrno)
    C.eraseFromParent();
}

bool isFunction(const Function &F) {
  const FunctionType *T = F.getFunctionType();
  if (!F.isDeclaration() || F.isIntrinsic() || T->isVarArg() ||
      T->getNumParams() != 3 || !T->getReturnType()->isVoidTy() ||
      !T->getParamType(1)->isPointerTy() || !T->getParamType(2)->isPointerTy())
    return false;
  return (F.getName() == "sincos" && T->getParamType(0)->isDoubleTy()) ||
         (F.getName() == "sincosf" && T->getParamType(0)->isFloatTy());
}

bool isIntrinsic(const Function &F) {
  return F.getIntrinsicID() == Intrinsic::sincos &&
         isOurs(F.getFunctionType()->getParamType(0));
}

} // namespace

void clinch::engine::splitSineAndCosine(Module &M, bool KeepsErrno) {
  for (Function &F : make_early_inc_range(M)) {
    if (!isIntrinsic(F) && !isFunction(F))
      continue;
    for (CallInst *C : callsOf(F))
      if (F.isIntrinsic())
        splitIntrinsic(*C);
      else
        splitFunction(*C, KeepsErrno);
  }
}
