//===- VectorFunctions.cpp - exp and tanh inside a loop ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call in a loop spills every vector, as no vector register survives it, and
// libmvec's tanh looks up tables. Both functions here need one polynomial and
// no table:
//
//   x = k ln 2 + r, |r| <= ln 2 / 2     exp(x)  = 2^k (1 + m(r))
//   m(r) = e^r - 1, Taylor's terms      tanh(x) = e / (e + 2), e = exp(2x) - 1
//
//===----------------------------------------------------------------------===//

#include "VectorFunctions.h"
#include "VectorNames.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace clinch::engine;
using llvm::Value;

namespace {

constexpr llvm::StringLiteral Beginning = "clinch.vector.";
/// Added to a number below 2^51, it rounds it to an integer, which then stands
/// in the last bits.
constexpr double Rounder = 0x1.8p52;
/// ln 2 in two parts; products of the first with small integers are exact.
constexpr double Ln2High = 0x1.62e42fefa3800p-1, Ln2Low = 0x1.ef35793c76730p-45;
/// The next term is below a hundredth of a unit in the last place.
constexpr unsigned LastTerm = 13;

/// Writes the instructions for a vector of doubles, or for one.
class Writer {
public:
  Writer(llvm::Instruction *Before, llvm::Type *Doubles)
      : B(Before), Doubles(Doubles),
        Integers(Doubles->getWithNewType(B.getInt64Ty())) {}

  Value *exp(Value *X);
  Value *tanh(Value *X);

private:
  /// A number as k ln 2 + r.
  struct Reduced {
    Value *Rounded; ///< k, with the rounder in it.
    Value *K, *R;
  };

  Value *number(double D) { return llvm::ConstantFP::get(Doubles, D); }
  Value *add(Value *A, Value *C) { return B.CreateFAdd(A, C); }
  Value *subtract(Value *A, Value *C) { return B.CreateFSub(A, C); }
  Value *multiply(Value *A, Value *C) { return B.CreateFMul(A, C); }
  /// A * C + D, rounded once.
  Value *fused(Value *A, Value *C, Value *D) {
    return B.CreateIntrinsic(Doubles, llvm::Intrinsic::fma, {A, C, D});
  }
  Value *atMost(Value *X, double Bound) {
    return B.CreateSelect(B.CreateFCmpOGT(X, number(Bound)), number(Bound), X);
  }
  Value *atLeast(Value *X, double Bound) {
    return B.CreateSelect(B.CreateFCmpOLT(X, number(Bound)), number(Bound), X);
  }
  Reduced reduce(Value *X);
  Value *exponentialLessOne(Value *R);
  Value *powerOfTwo(Value *Rounded);

  llvm::IRBuilder<> B;
  llvm::Type *Doubles, *Integers;
};

Writer::Reduced Writer::reduce(Value *X) {
  Value *Rounded =
      fused(X, number(0x1.71547652b82fep0 /* 1 / ln 2 */), number(Rounder));
  Value *K = subtract(Rounded, number(Rounder));
  Value *R = fused(K, number(-Ln2High), X);
  return {Rounded, K, fused(K, number(-Ln2Low), R)};
}

/// r + r^2 (1/2! + r/3! + ...), in pairs, so that few wait for one another.
Value *Writer::exponentialLessOne(Value *R) {
  llvm::SmallVector<Value *, LastTerm> Terms;
  double Factorial = 1;
  for (unsigned N = 2; N <= LastTerm; ++N)
    Terms.push_back(number(1 / (Factorial *= N)));
  Value *Power = R, *Square = multiply(R, R);
  for (; Terms.size() > 1; Power = multiply(Power, Power)) {
    llvm::SmallVector<Value *, LastTerm> Pairs;
    for (size_t I = 0; I < Terms.size(); I += 2)
      Pairs.push_back(I + 1 < Terms.size()
                          ? fused(Terms[I + 1], Power, Terms[I])
                          : Terms[I]);
    Terms = Pairs;
  }
  return fused(Square, Terms.front(), R);
}

/// 2^k for a k within the exponents, which the rounder has put last.
Value *Writer::powerOfTwo(Value *Rounded) {
  constexpr uint64_t One = uint64_t(0x3ff) << 52;
  Value *Bits = B.CreateShl(B.CreateBitCast(Rounded, Integers), 52);
  Bits = B.CreateAdd(Bits, llvm::ConstantInt::get(Integers, One));
  return B.CreateBitCast(Bits, Doubles);
}

/// 2^k is out of range before its product is: it is given in two halves.
Value *Writer::exp(Value *X) {
  Reduced N = reduce(atLeast(atMost(X, 710), -746));
  Value *Half = fused(N.K, number(0.5), number(Rounder));
  Value *Rest = subtract(N.Rounded, subtract(Half, number(Rounder)));
  Value *Result = add(exponentialLessOne(N.R), number(1));
  Result = multiply(Result, powerOfTwo(Half));
  return multiply(Result, powerOfTwo(Rest));
}

/// What the numerator and the denominator lose to rounding is added to the
/// quotient afterwards. From 22 on it is 1.
Value *Writer::tanh(Value *X) {
  Value *Size = B.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, X);
  Reduced N = reduce(atMost(add(Size, Size), 44));
  Value *Scale = powerOfTwo(N.Rounded), *M = exponentialLessOne(N.R);
  Value *Scale1 = subtract(Scale, number(1));
  Value *E = fused(Scale, M, Scale1);
  Value *ELost = fused(Scale, M, subtract(Scale1, E));
  Value *D = add(E, number(2));
  Value *DLost = add(add(subtract(number(2), D), E), ELost);
  Value *Inverse = B.CreateFDiv(number(1), D);
  Value *Quotient = multiply(E, Inverse), *Minus = B.CreateFNeg(Quotient);
  Value *Lost = add(fused(Minus, D, E), fused(Minus, DLost, ELost));
  return B.CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                 fused(Lost, Inverse, Quotient), X);
}

/// Replaces the calls that the vectoriser made.
class Expansion : public llvm::PassInfoMixin<Expansion> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &) {
    bool Changed = false;
    for (llvm::Instruction &I : llvm::make_early_inc_range(instructions(F)))
      if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I))
        Changed |= expand(*Call);
    if (!Changed)
      return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses Kept;
    Kept.preserveSet<llvm::CFGAnalyses>();
    return Kept;
  }
  /// Without it the code would not link.
  static bool isRequired() { return true; }

private:
  static bool expand(llvm::CallInst &Call) {
    llvm::Function *Callee = Call.getCalledFunction();
    if (!Callee || !Callee->getName().starts_with(Beginning))
      return false;
    Writer W(&Call, Call.getType());
    Value *X = Call.getArgOperand(0);
    bool Tanh = Callee->getName().contains("tanh");
    Call.replaceAllUsesWith(Tanh ? W.tanh(X) : W.exp(X));
    Call.eraseFromParent();
    return true;
  }
};

} // namespace

std::string clinch::engine::ownVectorFunction(llvm::StringRef Scalar,
                                              unsigned Lanes) {
  if (!isOwnFunction(Scalar))
    return "";
  return (Beginning + Scalar + "." + llvm::Twine(Lanes)).str();
}

namespace {

/// exp or tanh of one double, which libm would compute.
llvm::StringRef scalarName(const llvm::Function &F) {
  llvm::StringRef Name = F.getName();
  if (Name == "llvm.exp.f64" || Name == "exp")
    return "exp";
  return Name == "llvm.tanh.f64" || Name == "tanh" ? "tanh" : "";
}

llvm::Function *createScalar(llvm::Module &M, const llvm::Twine &Name,
                             llvm::GlobalValue::LinkageTypes Linkage) {
  llvm::Type *Double = llvm::Type::getDoubleTy(M.getContext());
  llvm::Function *F = llvm::Function::Create(
      llvm::FunctionType::get(Double, {Double}, false), Linkage, Name, M);
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  return F;
}

/// A function of the module's own: a loop may call it from many places.
llvm::Function *defineScalar(llvm::Module &M, llvm::StringRef Name,
                             const llvm::Function &User) {
  llvm::Function *F = createScalar(M, "clinch.scalar." + Name,
                                   llvm::GlobalValue::InternalLinkage);
  for (const char *Attribute : {"target-cpu", "target-features", "tune-cpu"})
    if (User.hasFnAttribute(Attribute))
      F->addFnAttr(User.getFnAttribute(Attribute));
  F->addFnAttr(llvm::Attribute::NoInline);
  auto *Return = llvm::ReturnInst::Create(
      M.getContext(), llvm::BasicBlock::Create(M.getContext(), "", F));
  Writer W(Return, F->getReturnType());
  Value *X = F->getArg(0);
  llvm::ReturnInst::Create(M.getContext(), Name == "exp" ? W.exp(X) : W.tanh(X),
                           Return->getIterator());
  Return->eraseFromParent();
  return F;
}

} // namespace

void clinch::engine::useVectorFunctions(llvm::Module &M, bool Apart) {
  llvm::SmallVector<std::pair<llvm::CallInst *, llvm::StringRef>> Calls;
  for (llvm::Function &F : M)
    if (F.isDeclaration() && !scalarName(F).empty())
      for (llvm::User *U : F.users())
        if (auto *C = llvm::dyn_cast<llvm::CallInst>(U);
            C && C->getCalledFunction() == &F && C->arg_size() == 1 &&
            C->getType()->isDoubleTy() && C->doesNotAccessMemory())
          Calls.emplace_back(C, scalarName(F));
  llvm::StringMap<llvm::Function *> Made;
  for (auto [Call, Name] : Calls) {
    llvm::Function *&F = Made[Name];
    if (!F)
      F = Apart ? createScalar(M, "clinch_" + Name,
                               llvm::GlobalValue::ExternalLinkage)
                : defineScalar(M, Name, *Call->getFunction());
    Call->setCalledFunction(F);
  }
}

/// Right behind the vectoriser, so that the loop is cleaned up with them in it;
/// and at the end, as vectors are made of straight code too.
void clinch::engine::addVectorFunctions(llvm::PassBuilder &Builder) {
  Builder.registerVectorizerEndEPCallback(
      [](llvm::FunctionPassManager &FPM, llvm::OptimizationLevel) {
        FPM.addPass(Expansion());
      });
  Builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &MPM,
                                             llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) {
    MPM.addPass(llvm::createModuleToFunctionPassAdaptor(Expansion()));
  });
}
