// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that no loop runs.

#include "AroundLoops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"

using namespace clinch::engine;
using namespace llvm;

namespace {

/// A function of mostly branches and calls, as checks are, runs as fast.
bool mostlyBranches(const Function &F) {
  constexpr size_t FewInstructions = 20;
  return F.getInstructionCount() <= FewInstructions * F.size();
}

/// All functions with a loop, and those that they use.
SmallPtrSet<const Function *, 16> inLoops(const Module &M) {
  SmallPtrSet<const Function *, 16> Found;
  SmallVector<const Function *, 16> Left;
  auto Add = [&](const Function &F) {
    if (!F.isDeclaration() && Found.insert(&F).second)
      Left.push_back(&F);
  };
  for (const Function &F : M)
    if (hasLoop(F))
      Add(F);
  while (!Left.empty())
    for (const Instruction &I : instructions(*Left.pop_back_val()))
      for (const Use &Operand : I.operands())
        if (auto *Used = dyn_cast<Function>(Operand.get()))
          Add(*Used);
  return Found;
}

} // namespace

bool clinch::engine::hasLoop(const Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Before;
  for (const BasicBlock &B : F) {
    Before.insert(&B);
    for (const BasicBlock *S : successors(&B))
      if (Before.contains(S))
        return true;
  }
  return false;
}

void clinch::engine::leaveAsItIs(Function &F) {
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::MinSize);
  F.removeFnAttr(Attribute::OptimizeForSize);
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(Attribute::OptimizeNone);
}

void clinch::engine::leaveAroundLoops(Module &M) {
  const auto Used = inLoops(M);
  for (Function &F : M)
    if (!F.isDeclaration() && !Used.contains(&F) && mostlyBranches(F))
      leaveAsItIs(F);
}
