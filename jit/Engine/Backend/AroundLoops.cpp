// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that no loop runs.

#include "AroundLoops.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InstIterator.h"

using namespace clinch::engine;

namespace {

/// A function of mostly branches and calls, as checks are, runs as fast.
bool mostlyBranches(const llvm::Function &F) {
  constexpr size_t FewInstructions = 20;
  return F.getInstructionCount() <= FewInstructions * F.size();
}

/// Calls \p Use for each function that \p F names.
void forEachUsed(const llvm::Function &F,
                 llvm::function_ref<void(llvm::Function &)> Use) {
  for (const llvm::Instruction &I : llvm::instructions(F))
    for (const llvm::Use &Operand : I.operands())
      if (auto *Used = llvm::dyn_cast<llvm::Function>(Operand.get()))
        Use(*Used);
}

/// All functions with a loop, and those that they use.
llvm::SmallPtrSet<const llvm::Function *, 16> inLoops(const llvm::Module &M) {
  llvm::SmallPtrSet<const llvm::Function *, 16> Found;
  llvm::SmallVector<const llvm::Function *, 16> Left;
  auto Add = [&](const llvm::Function &F) {
    if (!F.isDeclaration() && Found.insert(&F).second)
      Left.push_back(&F);
  };
  for (const llvm::Function &F : M)
    if (hasLoop(F))
      Add(F);
  while (!Left.empty())
    forEachUsed(*Left.pop_back_val(), Add);
  return Found;
}

} // namespace

bool clinch::engine::hasLoop(const llvm::Function &F) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Before;
  for (const llvm::BasicBlock &B : F) {
    Before.insert(&B);
    for (const llvm::BasicBlock *S : llvm::successors(&B))
      if (Before.contains(S))
        return true;
  }
  return false;
}

void clinch::engine::leaveAsItIs(llvm::Function &F) {
  F.removeFnAttr(llvm::Attribute::AlwaysInline);
  F.removeFnAttr(llvm::Attribute::MinSize);
  F.removeFnAttr(llvm::Attribute::OptimizeForSize);
  F.addFnAttr(llvm::Attribute::NoInline);
  F.addFnAttr(llvm::Attribute::OptimizeNone);
}

void clinch::engine::leaveAroundLoops(llvm::Module &M) {
  const auto Used = inLoops(M);
  for (llvm::Function &F : M)
    if (!F.isDeclaration() && !Used.contains(&F) && mostlyBranches(F))
      leaveAsItIs(F);
}
