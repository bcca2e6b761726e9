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

const ScalarFunction *findEntry(llvm::StringRef Name) {
  for (const ScalarFunction &S : VectorisedFunctions)
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
  if (!Entry || !Entry->Intrinsic || !(T->isDoubleTy() || T->isFloatTy()) ||
      (F.getReturnType()->isVectorTy() && !Vector))
    return {};
  return {Entry, T->isFloatTy(), Vector ? Vector->getNumElements() : 0};
}

MathFunction ofName(const llvm::Function &F) {
  MathFunction Result = mathFunction(F.getName());
  if (!Result.Entry)
    return {};
  llvm::Type *T = F.getReturnType();
  const llvm::FunctionType *Type = F.getFunctionType();
  bool Fits = Result.Single ? T->isFloatTy() : T->isDoubleTy();
  Fits &= !Type->isVarArg() &&
          Type->getNumParams() == Result.Entry->Arguments &&
          llvm::all_of(Type->params(), [&](llvm::Type *P) { return P == T; });
  return Fits ? Result : MathFunction{};
}

bool isBuiltin(const llvm::CallInst &C, const std::string &Name) {
  const std::string No = "no-builtin-" + Name;
  const llvm::Function &Caller = *C.getFunction();
  return !C.isNoBuiltin() && !Caller.hasFnAttribute("no-builtins") &&
         !Caller.hasFnAttribute(No);
}

/// Whether another call can replace \p C.
bool isPlain(const llvm::CallInst &C) {
  return !C.isStrictFP() && !C.isMustTailCall() && !C.hasOperandBundles();
}

bool mayApproximate(const llvm::CallInst &C) {
  return C.hasApproxFunc() || C.hasAllowReassoc();
}

/// Whether the call is `pow(x, 2)`, which equals the rounded product.
bool isSquare(const llvm::CallInst &C, const MathFunction &F) {
  return llvm::StringRef(F.Entry->Name) == "pow" &&
         llvm::PatternMatch::match(C.getArgOperand(1),
                                   llvm::PatternMatch::m_SpecificFP(2.0));
}

/// Whether LLVM folds the call with this process's libm, to the same result.
bool isKnownConstant(const llvm::CallInst &C, const MathFunction &F) {
  return !F.Single && llvm::all_of(C.args(), [](const llvm::Value *V) {
    return llvm::isa<llvm::Constant>(V);
  });
}

void pin(llvm::CallInst &C, const MathFunction &F) {
  llvm::Function &Callee = *C.getCalledFunction();
  if (!Callee.isIntrinsic()) {
    C.addFnAttr(llvm::Attribute::NoBuiltin);
    return;
  }
  llvm::Module &M = *C.getModule();
  llvm::FunctionCallee Libm =
      M.getOrInsertFunction(F.name(), Callee.getFunctionType());
  auto *Named = llvm::dyn_cast<llvm::Function>(Libm.getCallee());
  if (!Named || Named->getFunctionType() != Callee.getFunctionType())
    return; // The text declares something else by this name.
  C.setCalledFunction(Named);
  C.addFnAttr(llvm::Attribute::NoBuiltin);
  C.setDoesNotAccessMemory();
  C.setDoesNotThrow();
  C.addFnAttr(llvm::Attribute::WillReturn);
}

} // namespace

MathFunction clinch::engine::mathFunction(llvm::StringRef Name) {
  if (const ScalarFunction *Entry = findEntry(Name))
    return {Entry};
  const ScalarFunction *Entry =
      Name.consume_back("f") ? findEntry(Name) : nullptr;
  return {Entry, /*Single=*/Entry != nullptr};
}

void clinch::engine::forEachMathCall(
    llvm::Module &M,
    llvm::function_ref<void(llvm::CallInst &, const MathFunction &)> Each) {
  for (llvm::Function &F : llvm::make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.use_empty())
      continue;
    MathFunction Which = F.isIntrinsic() ? ofIntrinsic(F) : ofName(F);
    if (!Which.Entry)
      continue;
    const std::string Name = Which.name();
    if (const llvm::Function *Own = M.getFunction(Name);
        Own && !Own->isDeclaration())
      continue;
    for (llvm::User *U : llvm::make_early_inc_range(F.users()))
      if (auto *C = llvm::dyn_cast<llvm::CallInst>(U);
          C && C->getCalledFunction() == &F && isPlain(*C) &&
          (F.isIntrinsic() || isBuiltin(*C, Name)))
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

void clinch::engine::pinMathCalls(llvm::Module &M) {
  forEachMathCall(M, [](llvm::CallInst &C, const MathFunction &F) {
    if (!F.Lanes && !mayApproximate(C) && !isKnownConstant(C, F))
      pin(C, F);
  });
}
