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

template <typename T> T argument(const llvm::CallInst &C, unsigned N) {
  const auto *X = llvm::cast<llvm::ConstantFP>(C.getArgOperand(N));
  if constexpr (sizeof(T) == sizeof(float))
    return X->getValueAPF().convertToFloat();
  else
    return X->getValueAPF().convertToDouble();
}

template <typename T>
llvm::Constant *result(const llvm::CallInst &C, void *Function) {
  const DefaultEnvironment Environment;
  const T X = argument<T>(C, 0);
  const T Result =
      C.arg_size() == 1
          ? reinterpret_cast<T (*)(T)>(Function)(X)
          : reinterpret_cast<T (*)(T, T)>(Function)(X, argument<T>(C, 1));
  return llvm::ConstantFP::get(C.getContext(), llvm::APFloat(Result));
}

/// Returns the constant that \p C stands for, or null.
llvm::Constant *constantOf(const llvm::CallInst &C) {
  const llvm::Function *F = C.getCalledFunction();
  if (!F || !F->isDeclaration() || !F->getName().starts_with(MathPrefix) ||
      !llvm::all_of(C.args(), llvm::IsaPred<llvm::ConstantFP>))
    return nullptr;
  void *Function = findMathematics(F->getName());
  if (!Function)
    return nullptr;
  return C.getType()->isFloatTy() ? result<float>(C, Function)
                                  : result<double>(C, Function);
}

/// Returns whether \p I was replaced.
bool compute(llvm::Value &I) {
  auto *C = llvm::dyn_cast<llvm::CallInst>(&I);
  llvm::Constant *Value = C ? constantOf(*C) : nullptr;
  if (!Value || C->getFunction()->hasOptNone())
    return false;
  C->replaceAllUsesWith(Value);
  C->eraseFromParent();
  return true;
}

class MathConstants : public llvm::PassInfoMixin<MathConstants> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &) {
    bool Changed = false;
    for (llvm::Instruction &I :
         llvm::make_early_inc_range(llvm::instructions(F)))
      Changed |= compute(I);
    if (!Changed)
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses Kept;
    Kept.preserveSet<llvm::CFGAnalyses>();
    return Kept;
  }
};

} // namespace

void clinch::engine::computeMathConstants(llvm::Module &M) {
  for (llvm::Function &F : M)
    if (F.isDeclaration() && F.getName().starts_with(MathPrefix))
      for (llvm::User *U : llvm::make_early_inc_range(F.users()))
        compute(*U);
}

void clinch::engine::addMathConstants(llvm::PassBuilder &Builder) {
  Builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &FPM, llvm::OptimizationLevel) {
        FPM.addPass(MathConstants());
      });
}
