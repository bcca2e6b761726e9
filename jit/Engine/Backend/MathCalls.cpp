// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of mathematical functions.

#include "MathCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace clinch::engine;

namespace {

constexpr ScalarFunction Functions[] = {
#define FUNCTION(Name, Arguments) {#Name, Arguments},
#include "MathFunctions.inc"
#undef FUNCTION
};

const ScalarFunction *findEntry(llvm::StringRef Name) {
  for (const ScalarFunction &S : Functions)
    if (Name == S.Name)
      return &S;
  return nullptr;
}

/// Returns the function of an intrinsic: `exp` for `llvm.exp.v4f64`.
MathFunction ofIntrinsic(const llvm::Function &F) {
  llvm::StringRef Name = llvm::Intrinsic::getBaseName(F.getIntrinsicID());
  if (!Name.consume_front("llvm."))
    return {};
  llvm::Type *T = F.getReturnType();
  const auto *Vector = llvm::dyn_cast<llvm::FixedVectorType>(T);
  T = T->getScalarType();
  const ScalarFunction *Entry = findEntry(Name);
  if (!Entry || !(T->isDoubleTy() || T->isFloatTy()) ||
      F.arg_size() != Entry->Arguments ||
      (F.getReturnType()->isVectorTy() && !Vector))
    return {};
  return {Entry, T->isFloatTy(), Vector ? Vector->getNumElements() : 0};
}

MathFunction ofName(const llvm::Function &F) {
  llvm::StringRef Name = F.getName();
  const ScalarFunction *Entry = findEntry(Name);
  const bool Single = !Entry && Name.consume_back("f");
  if (Single)
    Entry = findEntry(Name);
  if (!Entry)
    return {};
  llvm::Type *T = F.getReturnType();
  const llvm::FunctionType *Type = F.getFunctionType();
  bool Fits = Single ? T->isFloatTy() : T->isDoubleTy();
  Fits &= !Type->isVarArg() && Type->getNumParams() == Entry->Arguments &&
          llvm::all_of(Type->params(), [&](llvm::Type *P) { return P == T; });
  return Fits ? MathFunction{Entry, Single} : MathFunction{};
}

/// Returns the square root of \p X as `pow(x, 0.5)` has it, which is positive
/// for minus infinity and for minus zero.
llvm::Value *createRoot(llvm::IRBuilder<> &B, llvm::Value *X) {
  llvm::Type *T = X->getType();
  llvm::Value *Root = B.CreateUnaryIntrinsic(
      llvm::Intrinsic::fabs, B.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, X));
  llvm::Value *IsLeast =
      B.CreateFCmpOEQ(X, llvm::ConstantFP::getInfinity(T, /*Negative=*/true));
  return B.CreateSelect(IsLeast, llvm::ConstantFP::getInfinity(T), Root);
}

/// Returns what a power is whose exponent needs no `pow`, or null. Floats are
/// computed as doubles, and rounded once.
llvm::Value *createPower(llvm::CallInst &C) {
  const llvm::APFloat *Y = nullptr;
  if (!llvm::PatternMatch::match(C.getArgOperand(1),
                                 llvm::PatternMatch::m_APFloat(Y)))
    return nullptr;
  const auto Is = [Y](double Exponent) { return Y->isExactlyValue(Exponent); };
  if (!Is(2) && !Is(3) && !Is(0.5) && !Is(-0.5) && !Is(-1))
    return nullptr;
  llvm::IRBuilder<> B(&C);
  B.setFastMathFlags(C.getFastMathFlags());
  llvm::Type *T = C.getType();
  llvm::Type *Wide = T->getWithNewType(B.getDoubleTy());
  llvm::Value *X = B.CreateFPExt(C.getArgOperand(0), Wide);
  llvm::Value *Made = X;
  if (Is(2) || Is(3))
    Made = B.CreateFMul(X, X);
  if (Is(3))
    Made = B.CreateFMul(Made, X);
  if (Is(0.5) || Is(-0.5))
    Made = createRoot(B, X);
  if (Is(-1) || Is(-0.5))
    Made = B.CreateFDiv(llvm::ConstantFP::get(Wide, 1.0), Made);
  return B.CreateFPTrunc(Made, T);
}

} // namespace

MathFunction clinch::engine::mathFunction(const llvm::Function &F) {
  return F.isIntrinsic() ? ofIntrinsic(F) : ofName(F);
}

bool clinch::engine::isPlain(const llvm::CallInst &C) {
  return !C.isStrictFP() && !C.isMustTailCall() && !C.hasOperandBundles();
}

bool clinch::engine::hasBuiltin(const llvm::Function &Caller,
                                const std::string &Name) {
  return !Caller.hasFnAttribute("no-builtins") &&
         !Caller.hasFnAttribute("no-builtin-" + Name);
}

void clinch::engine::forEachMathCall(
    llvm::Module &M,
    llvm::function_ref<void(llvm::CallInst &, const MathFunction &)> Each) {
  for (llvm::Function &F : llvm::make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.use_empty())
      continue;
    const MathFunction Which = mathFunction(F);
    if (!Which.Entry)
      continue;
    const std::string Name = Which.name();
    if (const llvm::Function *Own = M.getFunction(Name);
        Own && !Own->isDeclaration())
      continue;
    for (llvm::User *U : llvm::make_early_inc_range(F.users()))
      if (auto *C = llvm::dyn_cast<llvm::CallInst>(U);
          C && C->getCalledFunction() == &F && isPlain(*C) &&
          (F.isIntrinsic() ||
           (!C->isNoBuiltin() && hasBuiltin(*C->getFunction(), Name))))
        Each(*C, Which);
  }
}

void clinch::engine::simplifyMathCalls(llvm::Module &M, bool KeepsErrno) {
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    llvm::Value *Made = F.Entry->Name == "pow" ? createPower(C) : nullptr;
    if (!Made)
      return;
    C.replaceAllUsesWith(Made);
    if (!KeepsErrno || C.doesNotAccessMemory())
      C.eraseFromParent();
  });
}
