// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the functions of lib/Math.

#include "OwnMath.h"

#include "MathCalls.h"
#include "SineAndCosine.h"
#include "lib/Math/SymbolNames.h"

#include "llvm/IR/IRBuilder.h"

using namespace clinch;
using namespace clinch::engine;
using namespace llvm;

namespace {

/// The function of lib/Math, which the linker defines.
Function *declare(Module &M, const MathFunction &F) {
  Type *T = F.Single ? Type::getFloatTy(M.getContext())
                     : Type::getDoubleTy(M.getContext());
  const std::string Name = MathPrefix + F.name();
  if (Function *Known = M.getFunction(Name))
    return Known;
  const SmallVector<Type *, 2> Parameters(F.Entry->Arguments, T);
  Function *Own = Function::Create(FunctionType::get(T, Parameters, false),
                                   GlobalValue::ExternalLinkage, Name, M);
  Own->setDoesNotThrow();
  Own->setDoesNotAccessMemory();
  Own->setWillReturn();
  Own->setNoSync();
  Own->addFnAttr(Attribute::NoFree);
  Own->addFnAttr(Attribute::NoCallback);
  return Own;
}

/// A function that also calls libm's, which sets errno.
Function *withErrno(Module &M, const MathFunction &F) {
  Function *Own = declare(M, F);
  const std::string Name = MathPrefix + ("errno." + F.name());
  if (Function *Known = M.getFunction(Name))
    return Known;
  Function *Both = Function::Create(Own->getFunctionType(),
                                    GlobalValue::InternalLinkage, Name, M);
  Both->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Both));
  SmallVector<Value *, 2> Arguments;
  for (Argument &A : Both->args())
    Arguments.push_back(&A);
  B.CreateCall(M.getFunction(F.name()), Arguments)
      ->addFnAttr(Attribute::NoBuiltin);
  B.CreateRet(B.CreateCall(Own, Arguments));
  return Both;
}

/// Calls \p Own for each lane of a vector.
void splitLanes(CallInst &C, const MathFunction &F, Function *Own) {
  IRBuilder<> B(&C);
  Value *Result = PoisonValue::get(C.getType());
  for (unsigned Lane = 0; Lane != F.Lanes; ++Lane) {
    SmallVector<Value *, 2> Arguments;
    for (Value *A : C.args())
      Arguments.push_back(B.CreateExtractElement(A, Lane));
    Result = B.CreateInsertElement(Result, B.CreateCall(Own, Arguments), Lane);
  }
  C.replaceAllUsesWith(Result);
  C.eraseFromParent();
}

/// Whether \p U takes the address of C's function \p Name. Initialisers of
/// variables go with the functions of their text.
bool isAddress(const Use &U, const std::string &Name) {
  if (const auto *I = dyn_cast<Instruction>(U.getUser())) {
    const auto *C = dyn_cast<CallBase>(I);
    return !(C && C->isCallee(&U)) && hasBuiltin(*I->getFunction(), Name);
  }
  const Module &M = *cast<Function>(U.get())->getParent();
  return all_of(M, [&](const Function &F) { return hasBuiltin(F, Name); });
}

/// Returns the function that stands for \p Libm's.
Function *standIn(Module &M, const MathFunction &F, bool SetsErrno) {
  return SetsErrno ? withErrno(M, F) : declare(M, F);
}

void replaceAddresses(Function &Libm, bool KeepsErrno) {
  if (!Libm.isDeclaration() || Libm.isIntrinsic())
    return;
  const MathFunction F = mathFunction(Libm);
  if (!F.Entry)
    return;
  auto IsAddress = [Name = F.name()](Use &U) { return isAddress(U, Name); };
  if (any_of(Libm.uses(), IsAddress))
    Libm.replaceUsesWithIf(standIn(*Libm.getParent(), F,
                                   KeepsErrno && !Libm.doesNotAccessMemory()),
                           IsAddress);
}

/// Whether \p F is C's function of that name.
bool isSquareRoot(const Function &F) {
  const Type *T = F.getReturnType();
  return F.isDeclaration() && F.arg_size() == 1 &&
         F.getArg(0)->getType() == T &&
         (F.getName() == "sqrt" ? T->isDoubleTy() : T->isFloatTy());
}

/// Square roots are the processor's where nobody looks at errno: in loops, too.
void forgetErrnoOfRoots(Module &M) {
  for (const char *Name : {"sqrt", "sqrtf"})
    if (Function *F = M.getFunction(Name); F && isSquareRoot(*F))
      for (CallInst *C : callsOf(*F))
        C->setDoesNotAccessMemory();
}

} // namespace

void clinch::engine::callOwnFunctions(Module &M, bool KeepsErrno) {
  KeepsErrno |= M.getFunction("__errno_location") != nullptr;
  simplifyMathCalls(M, KeepsErrno);
  if (!KeepsErrno)
    forgetErrnoOfRoots(M);
  splitSineAndCosine(M, KeepsErrno);
  forEachMathCall(M, [&](CallInst &C, const MathFunction &F) {
    if (F.Lanes)
      return splitLanes(C, F, declare(M, F));
    C.setCalledFunction(standIn(M, F, KeepsErrno && !C.doesNotAccessMemory()));
    C.setAttributes({});
    C.setTailCallKind(CallInst::TCK_None);
  });
  for (Function &F : make_early_inc_range(M))
    replaceAddresses(F, KeepsErrno);
}
