// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of simulate() share.

#include "Rewriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Format.h"

using namespace clinch;
using namespace clinch::engine;

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
