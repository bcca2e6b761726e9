// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of simulate() share.

#include "Rewriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Format.h"

using namespace clinch;
using namespace clinch::engine;
using simulate::Access;

llvm::Value *Rewriter::self(llvm::Function &F) {
  llvm::Value *&Self = Selves[&F];
  if (!Self) {
    llvm::IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    B.SetCurrentDebugLocation(llvm::DebugLoc());
    Self = B.CreateCall(M.getOrInsertFunction("clinch_sim_self", Ptr));
  }
  return Self;
}

llvm::Value *Rewriter::field(llvm::IRBuilder<> &B, llvm::Type *Type,
                             size_t Offset) {
  llvm::Value *Self = self(*B.GetInsertBlock()->getParent());
  return B.CreateLoad(
      Type, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Self, Offset));
}

llvm::CallInst *Rewriter::call(llvm::IRBuilder<> &B, const char *Name,
                               llvm::Type *Result,
                               llvm::ArrayRef<llvm::Value *> Given) {
  llvm::SmallVector<llvm::Value *, 8> All = {
      self(*B.GetInsertBlock()->getParent())};
  All.append(Given.begin(), Given.end());
  llvm::SmallVector<llvm::Type *, 8> Types;
  for (const llvm::Value *V : All)
    Types.push_back(V->getType());
  auto *Type = llvm::FunctionType::get(Result, Types, /*isVarArg=*/false);
  return B.CreateCall(M.getOrInsertFunction(Name, Type), All);
}

/// Returns where the author is at \p L: where the files that are not his are
/// called from, if it is in one.
static const llvm::DILocation *authors(const llvm::DILocation *L,
                                       llvm::StringRef OwnFiles) {
  const llvm::DILocation *At = L;
  while (!OwnFiles.empty() && At->getFilename().starts_with(OwnFiles) &&
         At->getInlinedAt())
    At = At->getInlinedAt();
  return At;
}

uint32_t Rewriter::site(const llvm::Instruction &I) {
  const llvm::DILocation *L = I.getDebugLoc();
  if (!L || !L->getLine())
    return 0;
  // What is inlined at two places is two sites: to meet at both is to diverge.
  std::string Place;
  for (const llvm::DILocation *At = L; At; At = At->getInlinedAt())
    Place += At->getFilename().str() + ":" + std::to_string(At->getLine()) +
             ":" + std::to_string(At->getColumn()) + "\n";
  uint32_t &Number = Numbers[Place];
  if (!Number) {
    const llvm::DILocation *At = authors(L, S.OwnFiles);
    Files.push_back(At->getFilename().str());
    Sites.push_back({nullptr, At->getLine(), At->getColumn()});
    Number = static_cast<uint32_t>(Sites.size());
  }
  return Number;
}

void Rewriter::refuse(const llvm::Instruction &I, const llvm::Twine &What) {
  Diagnostic D;
  if (const llvm::DILocation *L = I.getDebugLoc()) {
    L = authors(L, S.OwnFiles);
    D.Origin = L->getFilename().str();
    D.Line = L->getLine();
    D.Column = L->getColumn();
  }
  D.Message = What.str();
  Refused.push_back(std::move(D));
}

void Rewriter::refuse(const llvm::Function &F, const llvm::Twine &What) {
  Diagnostic D;
  if (const llvm::DISubprogram *P = F.getSubprogram()) {
    D.Origin = P->getFilename().str();
    D.Line = P->getLine();
  }
  D.Message = What.str();
  Refused.push_back(std::move(D));
}

void Rewriter::replace(llvm::CallInst &C, llvm::Value *By) {
  if (!C.getType()->isVoidTy())
    C.replaceAllUsesWith(By);
  C.eraseFromParent();
}

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
