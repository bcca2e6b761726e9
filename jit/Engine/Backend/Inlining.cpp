// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions are inlined.

#include "Inlining.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch::engine;

namespace {

bool callsOthers(const llvm::Function &F) {
  return llvm::any_of(llvm::instructions(F), [](const llvm::Instruction &I) {
    return llvm::isa<llvm::CallBase>(I) && !llvm::isa<llvm::IntrinsicInst>(I);
  });
}

bool haveOneTarget(const llvm::Function &F, const llvm::Function &G) {
  for (const char *Name : {"target-cpu", "target-features"})
    if (F.getFnAttribute(Name) != G.getFnAttribute(Name))
      return false;
  return true;
}

bool hasOneTarget(const llvm::Module &M) {
  const llvm::Function *First = nullptr;
  for (const llvm::Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (First && !haveOneTarget(F, *First))
      return false;
    First = &F;
  }
  return true;
}

/// Whether \p F fits the targets of all callers. LLVM inlines `alwaysinline`
/// functions unasked, and crashes on instructions that it cannot select.
bool fitsItsCallers(const llvm::Function &F,
                    llvm::FunctionAnalysisManager &AM) {
  return llvm::all_of(F.users(), [&](const llvm::User *U) {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(U);
    if (!I || haveOneTarget(*I->getFunction(), F))
      return true;
    auto *Caller = const_cast<llvm::Function *>(I->getFunction());
    return AM.getResult<llvm::TargetIRAnalysis>(*Caller).areInlineCompatible(
        Caller, &F);
  });
}

/// Whether \p F is an internal function that may be marked.
bool mayInline(const llvm::Function &F) {
  return F.hasLocalLinkage() && !F.isDeclaration() &&
         !F.hasFnAttribute(llvm::Attribute::NoInline);
}

} // namespace

void clinch::engine::markSmallFunctions(llvm::Module &M,
                                        llvm::FunctionAnalysisManager &AM) {
  constexpr unsigned Small = 60, Thousands = 2000;
  const bool OneTarget = hasOneTarget(M);
  for (llvm::Function &F : M)
    if (mayInline(F) && F.getInstructionCount() <= Small &&
        (OneTarget || fitsItsCallers(F, AM)))
      F.addFnAttr(F.hasNUsesOrMore(Thousands) && callsOthers(F)
                      ? llvm::Attribute::NoInline
                      : llvm::Attribute::AlwaysInline);
}

void clinch::engine::markSingleCallers(llvm::Module &M,
                                       llvm::FunctionAnalysisManager &AM) {
  for (llvm::Function &F : M) {
    if (!mayInline(F) || !F.hasOneUse())
      continue;
    auto *Call = llvm::dyn_cast<llvm::CallBase>(F.user_back());
    if (Call && Call->getCalledFunction() == &F && Call->getFunction() != &F &&
        fitsItsCallers(F, AM))
      F.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

bool clinch::engine::callsItsOwn(const llvm::Module &M) {
  for (const llvm::Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(llvm::Attribute::NoInline))
      for (const llvm::User *U : F.users())
        if (llvm::isa<llvm::CallBase>(U))
          return true;
  return false;
}

void clinch::engine::keepCalls(llvm::Module &M) {
  for (llvm::Function &F : M)
    if (F.hasFnAttribute(llvm::Attribute::OptimizeNone))
      for (llvm::Instruction &I : llvm::instructions(F))
        if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
          Call->setIsNoInline();
}
