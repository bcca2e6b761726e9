// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How wide vectors should be.

#include "VectorWidth.h"

#include "../Options/Processor.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Host.h"

using namespace clinch::engine;

/// How many operations a core performs while it waits for its operands.
static constexpr unsigned MostOperations = 8;

/// How many floating-point operations \p I counts as.
static unsigned operations(const llvm::Instruction &I) {
  if (!I.getType()->isFPOrFPVectorTy())
    return 0;
  switch (I.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return 1;
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
    return MostOperations + 1;
  case llvm::Instruction::Call:
    break;
  default:
    return 0;
  }
  const auto *Intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  bool IsShort =
      Intrinsic && (Intrinsic->getIntrinsicID() == llvm::Intrinsic::fmuladd ||
                    Intrinsic->getIntrinsicID() == llvm::Intrinsic::fabs);
  return IsShort ? 1 : MostOperations + 1;
}

void clinch::engine::preferWidthOfMemory(llvm::Module &M) {
  unsigned Operations = 0;
  for (const llvm::Function &F : M)
    for (const llvm::Instruction &I : llvm::instructions(F))
      if ((Operations += operations(I)) > MostOperations)
        return;
  for (llvm::Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute("prefer-vector-width"))
      F.addFnAttr("prefer-vector-width", "256");
}

void clinch::engine::leaveRestsToScalars() {
  // Only this option says from how many iterations on there may be a rest.
  static constexpr const char *Option = "vectorizer-min-trip-count";
  if (llvm::sys::getHostCPUFeatures().lookup("avx512vl"))
    return;
  auto &Options = llvm::cl::getRegisteredOptions();
  if (auto Found = Options.find(Option); Found != Options.end())
    Found->second->addOccurrence(0, Option, "2", /*MultiArg=*/true);
}
