// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not in a block.

#include "DetachedInstructions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {
using Instructions = SmallSetVector<Instruction *, 8>;
} // namespace

static void addDetachedUsers(Value &V, Instructions &Found) {
  for (User *U : V.users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (I && !I->getParent())
      Found.insert(I);
    else if (isa<ConstantExpr>(U)) // Such as the address of a member.
      addDetachedUsers(*U, Found);
  }
}

void clinch::engine::deleteDetachedInstructions(Module &M) {
  Instructions Found;
  for (GlobalValue &G : M.global_values())
    addDetachedUsers(G, Found);
  for (Function &F : M) {
    for (Argument &A : F.args())
      addDetachedUsers(A, Found);
    for (Instruction &I : instructions(F))
      addDetachedUsers(I, Found);
  }
  // Theirs are in no block either.
  for (size_t I = 0; I != Found.size(); ++I)
    addDetachedUsers(*Found[I], Found);
  for (Instruction *I : Found)
    I->dropAllReferences();
  for (Instruction *I : Found) {
    if (!I->use_empty())
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->deleteValue();
  }
}
