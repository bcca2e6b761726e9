// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the functions of lib/Math.

#include "OwnMath.h"

#include "MathCalls.h"
#include "SineAndCosine.h"
#include "lib/Math/SymbolNames.h"

#include "llvm/IR/IRBuilder.h"

using namespace clinch;
using namespace clinch::engine;
using llvm::Value;

namespace {

/// The function of lib/Math, which the linker defines.
llvm::Function *declare(llvm::Module &M, const MathFunction &F) {
  llvm::Type *T = F.Single ? llvm::Type::getFloatTy(M.getContext())
                           : llvm::Type::getDoubleTy(M.getContext());
  const std::string Name = MathPrefix + F.name();
  if (llvm::Function *Known = M.getFunction(Name))
    return Known;
  const llvm::SmallVector<llvm::Type *, 2> Parameters(F.Entry->Arguments, T);
  llvm::Function *Own =
      llvm::Function::Create(llvm::FunctionType::get(T, Parameters, false),
                             llvm::GlobalValue::ExternalLinkage, Name, M);
  Own->setDoesNotThrow();
  Own->setDoesNotAccessMemory();
  Own->setWillReturn();
  Own->setNoSync();
  Own->addFnAttr(llvm::Attribute::NoFree);
  Own->addFnAttr(llvm::Attribute::NoCallback);
  return Own;
}

/// A function that also calls libm's, which sets errno.
llvm::Function *withErrno(llvm::Module &M, const MathFunction &F) {
  llvm::Function *Own = declare(M, F);
  const std::string Name = MathPrefix + ("errno." + F.name());
  if (llvm::Function *Known = M.getFunction(Name))
    return Known;
  llvm::Function *Both = llvm::Function::Create(
      Own->getFunctionType(), llvm::GlobalValue::InternalLinkage, Name, M);
  Both->setDoesNotThrow();
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(M.getContext(), "", Both));
  llvm::SmallVector<Value *, 2> Arguments;
  for (llvm::Argument &A : Both->args())
    Arguments.push_back(&A);
  B.CreateCall(M.getFunction(F.name()), Arguments)
      ->addFnAttr(llvm::Attribute::NoBuiltin);
  B.CreateRet(B.CreateCall(Own, Arguments));
  return Both;
}

/// Calls \p Own for each lane of a vector.
void splitLanes(llvm::CallInst &C, const MathFunction &F, llvm::Function *Own) {
  llvm::IRBuilder<> B(&C);
  Value *Result = llvm::PoisonValue::get(C.getType());
  for (unsigned Lane = 0; Lane != F.Lanes; ++Lane) {
    llvm::SmallVector<Value *, 2> Arguments;
    for (Value *A : C.args())
      Arguments.push_back(B.CreateExtractElement(A, Lane));
    Result = B.CreateInsertElement(Result, B.CreateCall(Own, Arguments), Lane);
  }
  C.replaceAllUsesWith(Result);
  C.eraseFromParent();
}

/// Whether \p U takes the address of C's function \p Name. Initialisers of
/// variables go with the functions of their text.
bool isAddress(const llvm::Use &U, const std::string &Name) {
  if (const auto *I = llvm::dyn_cast<llvm::Instruction>(U.getUser())) {
    const auto *C = llvm::dyn_cast<llvm::CallBase>(I);
    return !(C && C->isCallee(&U)) && hasBuiltin(*I->getFunction(), Name);
  }
  const llvm::Module &M = *llvm::cast<llvm::Function>(U.get())->getParent();
  return llvm::all_of(
      M, [&](const llvm::Function &F) { return hasBuiltin(F, Name); });
}

/// Returns the function that stands for \p Libm's.
llvm::Function *standIn(llvm::Module &M, const MathFunction &F,
                        bool SetsErrno) {
  return SetsErrno ? withErrno(M, F) : declare(M, F);
}

void replaceAddresses(llvm::Function &Libm, bool KeepsErrno) {
  if (!Libm.isDeclaration() || Libm.isIntrinsic())
    return;
  const MathFunction F = mathFunction(Libm);
  if (!F.Entry)
    return;
  auto IsAddress = [Name = F.name()](llvm::Use &U) {
    return isAddress(U, Name);
  };
  if (llvm::any_of(Libm.uses(), IsAddress))
    Libm.replaceUsesWithIf(standIn(*Libm.getParent(), F,
                                   KeepsErrno && !Libm.doesNotAccessMemory()),
                           IsAddress);
}

/// Whether \p F is C's function of that name.
bool isSquareRoot(const llvm::Function &F) {
  const llvm::Type *T = F.getReturnType();
  return F.isDeclaration() && F.arg_size() == 1 &&
         F.getArg(0)->getType() == T &&
         (F.getName() == "sqrt" ? T->isDoubleTy() : T->isFloatTy());
}

/// Square roots are the processor's where nobody looks at errno: in loops, too.
void forgetErrnoOfRoots(llvm::Module &M) {
  for (const char *Name : {"sqrt", "sqrtf"})
    if (llvm::Function *F = M.getFunction(Name); F && isSquareRoot(*F))
      for (llvm::User *U : F->users())
        if (auto *C = llvm::dyn_cast<llvm::CallInst>(U);
            C && C->getCalledFunction() == F && !C->isStrictFP() &&
            !C->isNoBuiltin() && hasBuiltin(*C->getFunction(), Name))
          C->setDoesNotAccessMemory();
}

} // namespace

void clinch::engine::callOwnFunctions(llvm::Module &M, bool KeepsErrno) {
  KeepsErrno |= M.getFunction("__errno_location") != nullptr;
  simplifyMathCalls(M, KeepsErrno);
  if (!KeepsErrno)
    forgetErrnoOfRoots(M);
  splitSineAndCosine(M, KeepsErrno);
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    if (F.Lanes)
      return splitLanes(C, F, declare(M, F));
    C.setCalledFunction(standIn(M, F, KeepsErrno && !C.doesNotAccessMemory()));
    C.setAttributes({});
    C.setTailCallKind(llvm::CallInst::TCK_None);
  });
  for (llvm::Function &F : llvm::make_early_inc_range(M))
    replaceAddresses(F, KeepsErrno);
}
