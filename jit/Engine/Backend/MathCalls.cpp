//===- MathCalls.cpp - Calls of mathematical functions --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// Whether the call is `pow(x, 2)`, which equals the rounded product.
bool isSquare(const llvm::CallInst &C, const MathFunction &F) {
  return F.Entry->Name == "pow" &&
         llvm::PatternMatch::match(C.getArgOperand(1),
                                   llvm::PatternMatch::m_SpecificFP(2.0));
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

void clinch::engine::simplifyMathCalls(llvm::Module &M) {
  forEachMathCall(M, [](llvm::CallInst &C, const MathFunction &F) {
    if (!isSquare(C, F))
      return;
    llvm::Value *X = C.getArgOperand(0);
    C.replaceAllUsesWith(llvm::IRBuilder<>(&C).CreateFMulFMF(X, X, &C));
    C.eraseFromParent();
  });
}
