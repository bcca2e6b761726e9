// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics that are checked.

#include "Rewriter.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch;
using namespace clinch::engine;
using simulate::Access;

/// True if nobody else can see this memory, and no argument is behind it: local
/// variables, parameters, texts.
static bool isOwn(const llvm::Value *At) {
  const llvm::Value *Object = llvm::getUnderlyingObject(At);
  if (llvm::isa<llvm::AllocaInst>(Object))
    return true;
  if (const auto *A = llvm::dyn_cast<llvm::Argument>(Object))
    return A->hasByValAttr();
  const auto *G = llvm::dyn_cast<llvm::GlobalVariable>(Object);
  return G && G->isConstant() && G->hasPrivateLinkage();
}

void Rewriter::check(llvm::Instruction &Before, llvm::Value *At,
                     llvm::Value *Size, llvm::Align Align, Access Kind) {
  if (isOwn(At))
    return;
  llvm::IRBuilder<> B(&Before);
  // A device reads and writes at most 16 bytes at once.
  const uint32_t Site =
      site(Before) << simulate::AlignBits | std::min(llvm::Log2(Align), 4U);
  const uint32_t What =
      Site << simulate::AccessBits | static_cast<uint32_t>(Kind);
  call(B, "clinch_sim_access", B.getVoidTy(),
       {B.CreateAddrSpaceCast(At, Ptr), B.CreateZExtOrTrunc(Size, I64),
        B.getInt32(What)});
}

void Rewriter::addCheck(llvm::Instruction &I) {
  const llvm::DataLayout &Layout = M.getDataLayout();
  auto SizeOf = [&](llvm::Type *T) {
    return llvm::ConstantInt::get(I64, Layout.getTypeStoreSize(T));
  };
  // What is volatile is as atomic as a device's relaxed accesses.
  if (auto *L = llvm::dyn_cast<llvm::LoadInst>(&I)) {
    const bool Atomic = L->isAtomic() || L->isVolatile();
    check(I, L->getPointerOperand(), SizeOf(L->getType()), L->getAlign(),
          Atomic ? Access::AtomicRead : Access::Read);
  } else if (auto *W = llvm::dyn_cast<llvm::StoreInst>(&I)) {
    const bool Atomic = W->isAtomic() || W->isVolatile();
    check(I, W->getPointerOperand(), SizeOf(W->getValueOperand()->getType()),
          W->getAlign(), Atomic ? Access::AtomicWrite : Access::Write);
  } else if (auto *A = llvm::dyn_cast<llvm::AtomicRMWInst>(&I)) {
    check(I, A->getPointerOperand(), SizeOf(A->getType()), A->getAlign(),
          Access::AtomicUpdate);
  } else if (auto *X = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I)) {
    check(I, X->getPointerOperand(), SizeOf(X->getNewValOperand()->getType()),
          X->getAlign(), Access::AtomicUpdate);
  } else if (auto *C = llvm::dyn_cast<llvm::MemTransferInst>(&I)) {
    check(I, C->getRawSource(), C->getLength(),
          C->getSourceAlign().valueOrOne(), Access::Copy);
    check(I, C->getRawDest(), C->getLength(), C->getDestAlign().valueOrOne(),
          Access::Write);
  } else if (auto *F = llvm::dyn_cast<llvm::MemSetInst>(&I)) {
    check(I, F->getRawDest(), F->getLength(), F->getDestAlign().valueOrOne(),
          Access::Write);
  } else if (auto *C = llvm::dyn_cast<llvm::CallInst>(&I);
             C && C->isIndirectCall()) {
    llvm::IRBuilder<> B(C);
    call(B, "clinch_sim_callee", B.getVoidTy(),
         {C->getCalledOperand(), siteOf(B, I)});
  }
}

/// Returns whether an update leaves what it finds, or null if it is not tried
/// again and again for that.
static llvm::Value *isVain(llvm::IRBuilder<> &B, llvm::AtomicRMWInst &A) {
  using RMW = llvm::AtomicRMWInst;
  llvm::Value *Given = A.getValOperand();
  switch (A.getOperation()) {
  case RMW::Xchg:
    return Given->getType()->isIntegerTy() ? B.CreateICmpEQ(&A, Given)
                                           : nullptr;
  case RMW::Add:
  case RMW::Sub:
  case RMW::Xor:
    return B.CreateIsNull(Given);
  case RMW::Or:
    return B.CreateICmpEQ(B.CreateOr(&A, Given), &A);
  default:
    return nullptr;
  }
}

/// Lets others run, if this changed nothing: they may have to change it first.
void Rewriter::rewriteAtomic(llvm::Instruction &I) {
  if (I.isTerminator())
    return;
  llvm::IRBuilder<> B(I.getNextNode());
  B.SetCurrentDebugLocation(I.getDebugLoc());
  llvm::Value *Vain = nullptr;
  if (auto *A = llvm::dyn_cast<llvm::AtomicRMWInst>(&I)) {
    A->setSyncScopeID(llvm::SyncScope::System);
    Vain = isVain(B, *A);
  } else if (auto *X = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&I)) {
    X->setSyncScopeID(llvm::SyncScope::System);
    Vain = B.CreateNot(B.CreateExtractValue(X, 1));
  } else if (auto *L = llvm::dyn_cast<llvm::LoadInst>(&I)) {
    if (L->isAtomic())
      L->setSyncScopeID(llvm::SyncScope::System);
    if (L->isAtomic() || L->isVolatile())
      Vain = B.getTrue();
  } else if (auto *W = llvm::dyn_cast<llvm::StoreInst>(&I)) {
    if (W->isAtomic())
      W->setSyncScopeID(llvm::SyncScope::System);
  } else if (auto *F = llvm::dyn_cast<llvm::FenceInst>(&I)) {
    F->setSyncScopeID(llvm::SyncScope::System);
    call(B, "clinch_sim_fence", B.getVoidTy(), {});
  }
  if (Vain)
    call(B, "clinch_sim_idle", B.getVoidTy(),
         {siteOf(B, I), B.CreateZExt(Vain, I32)});
}
