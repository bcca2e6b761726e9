// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide vectors should be.

#include "VectorWidth.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace clinch::engine;
using namespace llvm;

/// How many operations a core performs while it waits for its operands.
static constexpr unsigned MostOperations = 8;

/// How many floating-point operations \p I counts as.
static unsigned operations(const Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy())
    return 0;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
    return 1;
  case Instruction::FDiv:
  case Instruction::FRem:
    return MostOperations + 1;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  bool IsShort =
      Intrinsic && (Intrinsic->getIntrinsicID() == Intrinsic::fmuladd ||
                    Intrinsic->getIntrinsicID() == Intrinsic::fabs);
  return IsShort ? 1 : MostOperations + 1;
}

void clinch::engine::preferWidthOfMemory(Module &M) {
  unsigned Operations = 0;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if ((Operations += operations(I)) > MostOperations)
        return;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute("prefer-vector-width"))
      F.addFnAttr("prefer-vector-width", "256");
}

void clinch::engine::leaveRestsToScalars() {
  // Only this option says from how many iterations on there may be a rest.
  static constexpr const char *Option = "vectorizer-min-trip-count";
  auto &Options = cl::getRegisteredOptions();
  if (auto Found = Options.find(Option); Found != Options.end())
    Found->second->addOccurrence(0, Option, "2", /*MultiArg=*/true);
}
