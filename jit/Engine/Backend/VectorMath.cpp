//===- VectorMath.cpp - glibc's vector functions -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMath.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <map>

using namespace clinch::engine;
using llvm::Value;

namespace {

constexpr llvm::StringLiteral Beginning = "clinch.math.";
constexpr const char *LegalWidth = "min-legal-vector-width";

std::string hiddenName(const MathFunction &F) {
  std::string Name = Beginning.str() + F.name();
  return F.Lanes ? Name + "." + std::to_string(F.Lanes) : Name;
}

/// The type of \p F on vectors of \p Lanes lanes, or on scalars if 0.
llvm::FunctionType *functionType(llvm::LLVMContext &Context,
                                 const MathFunction &F, unsigned Lanes) {
  llvm::Type *T = F.Single ? llvm::Type::getFloatTy(Context)
                           : llvm::Type::getDoubleTy(Context);
  if (Lanes)
    T = llvm::FixedVectorType::get(T, Lanes);
  llvm::SmallVector<llvm::Type *, 2> Parameters(F.Entry->Arguments, T);
  return llvm::FunctionType::get(T, Parameters, false);
}

llvm::Function *declare(llvm::Module &M, const std::string &Name,
                        llvm::FunctionType *Type) {
  if (llvm::Function *F = M.getFunction(Name))
    return F;
  llvm::Function *F =
      llvm::Function::Create(Type, llvm::GlobalValue::ExternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  F->setWillReturn();
  F->setNoSync();
  F->addFnAttr(llvm::Attribute::NoFree);
  F->addFnAttr(llvm::Attribute::NoCallback);
  return F;
}

/// Returns \p Count lanes of \p V from \p Begin on. Lanes past its end repeat
/// lane \p Begin; a scalar fills all lanes.
Value *lanesOf(llvm::IRBuilder<> &B, Value *V, unsigned Begin, unsigned Count) {
  auto *T = llvm::dyn_cast<llvm::FixedVectorType>(V->getType());
  if (!T)
    return B.CreateVectorSplat(Count, V);
  unsigned Lanes = T->getNumElements();
  if (Lanes == Count)
    return V;
  llvm::SmallVector<int, 16> Mask;
  for (unsigned I = Begin; I != Begin + Count; ++I)
    Mask.push_back(int(I < Lanes ? I : Begin));
  return B.CreateShuffleVector(V, Mask);
}

/// Keeps a caller from splitting a vector argument over two registers.
void allowWidth(llvm::Function &F, unsigned Bits) {
  llvm::Attribute Now = F.getFnAttribute(LegalWidth);
  unsigned Width = 0;
  if (Now.isValid() && !Now.getValueAsString().getAsInteger(10, Width) &&
      Width < Bits)
    F.addFnAttr(LegalWidth, std::to_string(Bits));
}

} // namespace

VectorMath::VectorMath(const llvm::TargetMachine &TM)
    : TM(TM), ABI(VectorABI::of(*TM.getMCSubtargetInfo())) {}

/// Whether \p F has registers of this width: its attributes may name another
/// processor.
bool VectorMath::hasRegisters(const llvm::Function &F, Callers &Known) const {
  auto [At, IsNew] = Known.try_emplace(&F);
  if (IsNew)
    At->second = TM.getSubtargetImpl(F)->checkFeatures(ABI.Feature);
  return At->second;
}

llvm::Function *VectorMath::declareHidden(llvm::Module &M,
                                          const MathFunction &F) const {
  return declare(M, hiddenName(F), functionType(M.getContext(), F, F.Lanes));
}

/// Returns the attribute that lists the variants for the vectoriser. Doubles
/// also come in as many lanes as floats, for loops that use both.
std::string VectorMath::variants(llvm::Module &M, const MathFunction &F) const {
  std::string Result;
  const unsigned Most = ABI.lanes(/*Single=*/true);
  for (unsigned Lanes = ABI.lanes(F.Single); Lanes <= Most; Lanes *= 2) {
    MathFunction Vector = F;
    Vector.Lanes = Lanes;
    llvm::appendToCompilerUsed(M, {declareHidden(M, Vector)});
    Result += (Result.empty() ? "" : ",") +
              ("_ZGV_LLVM_N" + std::to_string(Lanes) +
               std::string(F.Entry->Arguments, 'v') + "_" + hiddenName(F) +
               "(" + hiddenName(Vector) + ")");
  }
  return Result;
}

void VectorMath::hide(llvm::Module &M) const {
  std::map<std::string, std::string> Made; // Variants by function.
  Callers Known;
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    if (ABI.find(F).empty())
      return;
    C.setCalledFunction(declareHidden(M, F));
    C.setAttributes({});
    C.setTailCallKind(llvm::CallInst::TCK_None);
    if (F.Lanes || !hasRegisters(*C.getFunction(), Known))
      return;
    std::string &Variants = Made[hiddenName(F)];
    if (Variants.empty())
      Variants = variants(M, F);
    C.addFnAttr(llvm::Attribute::get(M.getContext(),
                                     llvm::VFABI::MappingsAttrName, Variants));
  });
}

Value *VectorMath::callVector(llvm::IRBuilder<> &B, const MathFunction &F,
                              llvm::ArrayRef<Value *> Arguments) const {
  const unsigned Width = ABI.lanes(F.Single);
  llvm::Module &M = *B.GetInsertBlock()->getModule();
  llvm::Function *Callee =
      declare(M, ABI.find(F), functionType(M.getContext(), F, Width));
  llvm::SmallVector<Value *, 4> Parts;
  for (unsigned Begin = 0; Begin < std::max(F.Lanes, 1U); Begin += Width) {
    llvm::SmallVector<Value *, 2> Part;
    for (Value *A : Arguments)
      Part.push_back(lanesOf(B, A, Begin, Width));
    Parts.push_back(B.CreateCall(Callee, Part));
  }
  allowWidth(*B.GetInsertBlock()->getParent(), ABI.Bits);
  if (!F.Lanes)
    return B.CreateExtractElement(Parts.front(), uint64_t(0));
  return lanesOf(B, llvm::concatenateVectors(B, Parts), 0, F.Lanes);
}

/// Outlines one scalar call, for functions without such registers.
llvm::Function *VectorMath::helper(llvm::Module &M, MathFunction F) const {
  F.Lanes = 0;
  const std::string Name = "clinch.scalar." + F.name();
  if (llvm::Function *Made = M.getFunction(Name))
    return Made;
  llvm::Function *Made = declare(M, Name, functionType(M.getContext(), F, 0));
  Made->setLinkage(llvm::GlobalValue::InternalLinkage);
  Made->addFnAttr(llvm::Attribute::NoInline);
  Made->addFnAttr("target-cpu", TM.getTargetCPU());
  Made->addFnAttr("target-features", TM.getTargetFeatureString());
  Made->addFnAttr(LegalWidth, "0");
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(M.getContext(), "", Made));
  llvm::SmallVector<Value *, 2> Arguments;
  for (llvm::Argument &A : Made->args())
    Arguments.push_back(&A);
  B.CreateRet(callVector(B, F, Arguments));
  return Made;
}

Value *VectorMath::callHelper(llvm::CallInst &C, const MathFunction &F) const {
  llvm::IRBuilder<> B(&C);
  llvm::Function *Helper = helper(*C.getModule(), F);
  if (!F.Lanes)
    return B.CreateCall(Helper, llvm::SmallVector<Value *, 2>(C.args()));
  Value *Result = llvm::PoisonValue::get(C.getType());
  for (unsigned Lane = 0; Lane != F.Lanes; ++Lane) {
    llvm::SmallVector<Value *, 2> Arguments;
    for (Value *A : C.args())
      Arguments.push_back(B.CreateExtractElement(A, Lane));
    Result =
        B.CreateInsertElement(Result, B.CreateCall(Helper, Arguments), Lane);
  }
  return Result;
}

void VectorMath::lowerCall(llvm::CallInst &C, const MathFunction &F,
                           Callers &Known) const {
  llvm::IRBuilder<> B(&C);
  Value *Result =
      hasRegisters(*C.getFunction(), Known)
          ? callVector(B, F, llvm::SmallVector<Value *, 2>(C.args()))
          : callHelper(C, F);
  C.replaceAllUsesWith(Result);
  C.eraseFromParent();
}

void VectorMath::lower(llvm::Module &M) const {
  llvm::removeFromUsedLists(
      M, [](llvm::Constant *C) { return C->getName().starts_with(Beginning); });
  llvm::SmallVector<llvm::Function *> Hidden;
  for (llvm::Function &F : M)
    if (F.getName().starts_with(Beginning))
      Hidden.push_back(&F);
  Callers Known;
  for (llvm::Function *F : Hidden) {
    auto [Name, Lanes] = F->getName().substr(Beginning.size()).split('.');
    MathFunction Which = mathFunction(Name);
    Which.Lanes = 0;
    if (!Lanes.empty())
      Lanes.getAsInteger(10, Which.Lanes);
    F->removeDeadConstantUsers(); // Left from the used list.
    for (llvm::User *U : llvm::make_early_inc_range(F->users()))
      lowerCall(*llvm::cast<llvm::CallInst>(U), Which, Known);
    F->eraseFromParent();
  }
}
