// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of mathematical functions.

#include "MathCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace clinch::engine;
using namespace llvm;

namespace {

constexpr ScalarFunction Functions[] = {
#define FUNCTION(Name, Arguments) {#Name, Arguments},
#include "MathFunctions.inc"
#undef FUNCTION
};

const ScalarFunction *findEntry(StringRef Name) {
  for (const ScalarFunction &S : Functions)
    if (Name == S.Name)
      return &S;
  return nullptr;
}

/// Returns the function of an intrinsic: `exp` for `llvm.exp.v4f64`.
MathFunction ofIntrinsic(const Function &F) {
  StringRef Name = Intrinsic::getBaseName(F.getIntrinsicID());
  if (!Name.consume_front("llvm."))
    return {};
  Type *T = F.getReturnType();
  const auto *Vector = dyn_cast<FixedVectorType>(T);
  T = T->getScalarType();
  const ScalarFunction *Entry = findEntry(Name);
  if (!Entry || !(T->isDoubleTy() || T->isFloatTy()) ||
      F.arg_size() != Entry->Arguments ||
      (F.getReturnType()->isVectorTy() && !Vector))
    return {};
  return {Entry, T->isFloatTy(), Vector ? Vector->getNumElements() : 0};
}

MathFunction ofName(const Function &F) {
  StringRef Name = F.getName();
  const ScalarFunction *Entry = findEntry(Name);
  const bool Single = !Entry && Name.consume_back("f");
  if (Single)
    Entry = findEntry(Name);
  if (!Entry)
    return {};
  Type *T = F.getReturnType();
  bool Fits = Single ? T->isFloatTy() : T->isDoubleTy();
  Fits &= !F.isVarArg() && F.arg_size() == Entry->Arguments &&
          all_of(F.args(), [&](const Argument &A) { return A.getType() == T; });
  return Fits ? MathFunction{Entry, Single} : MathFunction{};
}

/// Returns the square root of \p X as `pow(x, 0.5)` has it, which is positive
/// for minus infinity and for minus zero.
Value *createRoot(IRBuilder<> &B, Value *X) {
  Type *T = X->getType();
  Value *Root = B.CreateUnaryIntrinsic(
      Intrinsic::fabs, B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  Value *IsLeast =
      B.CreateFCmpOEQ(X, ConstantFP::getInfinity(T, /*Negative=*/true));
  return B.CreateSelect(IsLeast, ConstantFP::getInfinity(T), Root);
}

/// Returns what a power is whose exponent needs no `pow`, or null. Floats are
/// computed as doubles, and rounded once.
Value *createPower(CallInst &C) {
  const APFloat *Y = nullptr;
  if (!PatternMatch::match(C.getArgOperand(1), PatternMatch::m_APFloat(Y)))
    return nullptr;
  const auto Is = [Y](double Exponent) { return Y->isExactlyValue(Exponent); };
  if (!Is(2) && !Is(3) && !Is(0.5) && !Is(-0.5) && !Is(-1))
    return nullptr;
  IRBuilder<> B(&C);
  B.setFastMathFlags(C.getFastMathFlags());
  Type *T = C.getType();
  Type *Wide = T->getWithNewType(B.getDoubleTy());
  Value *X = B.CreateFPExt(C.getArgOperand(0), Wide);
  Value *Made = X;
  if (Is(2) || Is(3))
    Made = B.CreateFMul(X, X);
  if (Is(3))
    Made = B.CreateFMul(Made, X);
  if (Is(0.5) || Is(-0.5))
    Made = createRoot(B, X);
  if (Is(-1) || Is(-0.5))
    Made = B.CreateFDiv(ConstantFP::get(Wide, 1.0), Made);
  return B.CreateFPTrunc(Made, T);
}

} // namespace

MathFunction clinch::engine::mathFunction(const Function &F) {
  return F.isIntrinsic() ? ofIntrinsic(F) : ofName(F);
}

bool clinch::engine::hasBuiltin(const Function &Caller,
                                const std::string &Name) {
  return !Caller.hasFnAttribute("no-builtins") &&
         !Caller.hasFnAttribute("no-builtin-" + Name);
}

SmallVector<CallInst *> clinch::engine::callsOf(const Function &F) {
  SmallVector<CallInst *> Calls;
  for (const Use &U : F.uses())
    if (auto *C = dyn_cast<CallInst>(U.getUser());
        C && C->isCallee(&U) && !C->isStrictFP() && !C->isMustTailCall() &&
        !C->hasOperandBundles() &&
        (F.isIntrinsic() || (!C->isNoBuiltin() &&
                             hasBuiltin(*C->getFunction(), F.getName().str()))))
      Calls.push_back(C);
  return Calls;
}

void clinch::engine::forEachMathCall(
    Module &M, function_ref<void(CallInst &, const MathFunction &)> Each) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.use_empty())
      continue;
    const MathFunction Which = mathFunction(F);
    if (!Which.Entry)
      continue;
    const Function *Own = M.getFunction(Which.name());
    if (Own && !Own->isDeclaration())
      continue;
    for (CallInst *C : callsOf(F))
      Each(*C, Which);
  }
}

void clinch::engine::simplifyMathCalls(Module &M, bool KeepsErrno) {
  forEachMathCall(M, [&](CallInst &C, const MathFunction &F) {
    Value *Made = F.Entry->Name == "pow" ? createPower(C) : nullptr;
    if (!Made)
      return;
    C.replaceAllUsesWith(Made);
    if (!KeepsErrno || C.doesNotAccessMemory())
      C.eraseFromParent();
  });
}
