// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions are inlined.

#include "Inlining.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace clinch::engine;
using namespace llvm;

namespace {

bool callsOthers(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
  });
}

bool haveOneTarget(const Function &F, const Function &G) {
  for (const char *Name : {"target-cpu", "target-features"})
    if (F.getFnAttribute(Name) != G.getFnAttribute(Name))
      return false;
  return true;
}

bool hasOneTarget(const Module &M) {
  const Function *First = nullptr;
  for (const Function &F : M) {
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
bool fitsItsCallers(const Function &F, FunctionAnalysisManager &AM) {
  return all_of(F.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    if (!I || haveOneTarget(*I->getFunction(), F))
      return true;
    auto *Caller = const_cast<Function *>(I->getFunction());
    return AM.getResult<TargetIRAnalysis>(*Caller).areInlineCompatible(Caller,
                                                                       &F);
  });
}

/// Whether \p F is an internal function that may be marked.
bool mayInline(const Function &F) {
  return F.hasLocalLinkage() && !F.isDeclaration() &&
         !F.hasFnAttribute(Attribute::NoInline);
}

} // namespace

void clinch::engine::markSmallFunctions(Module &M,
                                        FunctionAnalysisManager &AM) {
  constexpr unsigned Small = 60, Thousands = 2000;
  const bool OneTarget = hasOneTarget(M);
  for (Function &F : M)
    if (mayInline(F) && F.getInstructionCount() <= Small &&
        (OneTarget || fitsItsCallers(F, AM)))
      F.addFnAttr(F.hasNUsesOrMore(Thousands) && callsOthers(F)
                      ? Attribute::NoInline
                      : Attribute::AlwaysInline);
}

void clinch::engine::markSingleCallers(Module &M, FunctionAnalysisManager &AM) {
  for (Function &F : M) {
    if (!mayInline(F) || !F.hasOneUse())
      continue;
    auto *Call = dyn_cast<CallBase>(F.user_back());
    if (Call && Call->getCalledFunction() == &F && Call->getFunction() != &F &&
        fitsItsCallers(F, AM))
      F.addFnAttr(Attribute::AlwaysInline);
  }
}

bool clinch::engine::callsItsOwn(const Module &M) {
  for (const Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::NoInline))
      for (const User *U : F.users())
        if (isa<CallBase>(U))
          return true;
  return false;
}

void clinch::engine::keepCalls(Module &M) {
  for (Function &F : M)
    if (F.hasFnAttribute(Attribute::OptimizeNone))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          Call->setIsNoInline();
}
