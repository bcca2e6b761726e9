// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics of constants.

#include "MathConstants.h"

#include "lib/Math/Mathematics.h"
#include "lib/Math/SymbolNames.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cfenv>

using namespace clinch;
using namespace clinch::engine;
using namespace llvm;

namespace {

/// Rounding to nearest, with subnormal numbers, whatever the host has set.
class DefaultEnvironment {
public:
  DefaultEnvironment() {
    std::fegetenv(&Host);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultEnvironment() { std::fesetenv(&Host); }
  DefaultEnvironment(const DefaultEnvironment &) = delete;
  DefaultEnvironment &operator=(const DefaultEnvironment &) = delete;

private:
  std::fenv_t Host;
};

template <typename T> T argument(const CallInst &C, unsigned N) {
  const auto *X = cast<ConstantFP>(C.getArgOperand(N));
  if constexpr (sizeof(T) == sizeof(float))
    return X->getValueAPF().convertToFloat();
  else
    return X->getValueAPF().convertToDouble();
}

template <typename T> Constant *result(const CallInst &C, void *Function) {
  const DefaultEnvironment Environment;
  const T X = argument<T>(C, 0);
  const T Result =
      C.arg_size() == 1
          ? reinterpret_cast<T (*)(T)>(Function)(X)
          : reinterpret_cast<T (*)(T, T)>(Function)(X, argument<T>(C, 1));
  return ConstantFP::get(C.getContext(), APFloat(Result));
}

/// Returns the constant that \p C stands for, or null.
Constant *constantOf(const CallInst &C) {
  const Function *F = C.getCalledFunction();
  if (!F || !F->isDeclaration() || !F->getName().starts_with(MathPrefix) ||
      !all_of(C.args(), IsaPred<ConstantFP>))
    return nullptr;
  void *Function = findMathematics(F->getName());
  if (!Function)
    return nullptr;
  return C.getType()->isFloatTy() ? result<float>(C, Function)
                                  : result<double>(C, Function);
}

/// Returns whether \p I was replaced.
bool compute(Value &I) {
  auto *C = dyn_cast<CallInst>(&I);
  Constant *Value = C ? constantOf(*C) : nullptr;
  if (!Value || C->getFunction()->hasOptNone())
    return false;
  C->replaceAllUsesWith(Value);
  C->eraseFromParent();
  return true;
}

class MathConstants : public PassInfoMixin<MathConstants> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    bool Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      Changed |= compute(I);
    if (!Changed)
      return PreservedAnalyses::all();
    PreservedAnalyses Kept;
    Kept.preserveSet<CFGAnalyses>();
    return Kept;
  }
};

} // namespace

void clinch::engine::computeMathConstants(Module &M) {
  for (Function &F : M)
    if (F.isDeclaration() && F.getName().starts_with(MathPrefix))
      for (User *U : make_early_inc_range(F.users()))
        compute(*U);
}

void clinch::engine::addMathConstants(PassBuilder &Builder) {
  Builder.registerPeepholeEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(MathConstants());
      });
}
