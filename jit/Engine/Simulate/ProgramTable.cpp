// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a simulated program consists of.

#include "ProgramTable.h"

#include "lib/Support/Text.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"

using namespace clinch;
using namespace clinch::engine;

/// Of what is one past the end of a variable, nothing else's.
constexpr uint64_t Gap = 64;

ProgramTable::ProgramTable(Rewriter &R) : R(R) {
  const llvm::DataLayout &Layout = R.M.getDataLayout();
  for (llvm::GlobalVariable &G : R.M.globals()) {
    if (G.getAddressSpace() == SharedSpace) {
      const uint64_t Bytes =
          G.isDeclaration()
              ? uint64_t(0)
              : Layout.getTypeAllocSize(G.getValueType()).getFixedValue();
      const uint64_t Offset =
          Bytes ? llvm::alignTo(SharedBytes, G.getAlign().valueOrOne()) : 0;
      Variables.push_back({&G, Offset});
      if (Bytes)
        SharedBytes = Offset + Bytes + (R.S.Checks ? Gap : 0);
    } else if (!G.isDeclaration() && !G.hasAppendingLinkage()) {
      Globals.push_back(&G);
    }
  }
  for (llvm::Function &F : R.M)
    if (F.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
        !F.isDeclaration()) {
      auto Most = static_cast<uint32_t>(
          F.getFnAttributeAsParsedInteger("nvvm.maxntid", 0));
      Kernels.push_back({&F, sharedBytesOf(F), Most});
    }
}

/// Follows the calls, and all that uses a variable.
uint64_t ProgramTable::sharedBytesOf(llvm::Function &Kernel) const {
  llvm::SmallPtrSet<const llvm::Value *, 32> Reached;
  std::vector<const llvm::User *> Left;
  auto Reach = [&](const llvm::Value *V) {
    const auto *U = llvm::dyn_cast<llvm::Constant>(V);
    if (U && Reached.insert(U).second)
      Left.push_back(U);
  };
  Reach(&Kernel);
  while (!Left.empty()) {
    const llvm::User *U = Left.back();
    Left.pop_back();
    for (const llvm::Value *Operand : U->operand_values())
      Reach(Operand);
    if (const auto *F = llvm::dyn_cast<llvm::Function>(U))
      for (const llvm::BasicBlock &Block : *F)
        for (const llvm::Instruction &I : Block)
          for (const llvm::Value *Operand : I.operand_values())
            Reach(Operand);
  }
  uint64_t Bytes = 0;
  for (const Shared &V : Variables)
    if (Reached.contains(V.Global) && !V.Global->isDeclaration())
      Bytes = llvm::alignTo(Bytes, V.Global->getAlign().valueOrOne()) +
              R.M.getDataLayout().getTypeAllocSize(V.Global->getValueType());
  return Bytes;
}

llvm::Constant *ProgramTable::text(llvm::StringRef Text) {
  llvm::Constant *&Found = Texts[Text];
  if (!Found) {
    auto *Data = llvm::ConstantDataArray::getString(R.M.getContext(), Text);
    Found = new llvm::GlobalVariable(R.M, Data->getType(), /*isConstant=*/true,
                                     llvm::GlobalValue::PrivateLinkage, Data);
  }
  return Found;
}

llvm::Constant *ProgramTable::array(llvm::ArrayRef<llvm::Constant *> Items) {
  if (Items.empty())
    return llvm::ConstantPointerNull::get(R.Ptr);
  auto *Data = llvm::ConstantArray::get(
      llvm::ArrayType::get(Items[0]->getType(), Items.size()), Items);
  return new llvm::GlobalVariable(R.M, Data->getType(), /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage, Data);
}

/// Makes a function that takes a kernel's arguments by their addresses.
llvm::Function *ProgramTable::wrapper(llvm::Function &Kernel) {
  auto *Type = llvm::FunctionType::get(llvm::Type::getVoidTy(R.M.getContext()),
                                       {R.Ptr}, /*isVarArg=*/false);
  auto *F = llvm::Function::Create(Type, llvm::GlobalValue::InternalLinkage,
                                   Kernel.getName() + ".call", R.M);
  F->addFnAttr("target-cpu",
               Kernel.getFnAttribute("target-cpu").getValueAsString());
  F->addFnAttr("target-features",
               Kernel.getFnAttribute("target-features").getValueAsString());
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(R.M.getContext(), "", F));
  std::vector<llvm::Value *> Given;
  for (const llvm::Argument &A : Kernel.args()) {
    llvm::Value *Address = B.CreateLoad(
        R.Ptr, B.CreateConstGEP1_64(R.Ptr, F->getArg(0), A.getArgNo()));
    Given.push_back(A.hasByValAttr() ? Address
                                     : B.CreateLoad(A.getType(), Address));
  }
  llvm::CallInst *Call = B.CreateCall(&Kernel, Given);
  for (const llvm::Argument &A : Kernel.args())
    if (A.hasByValAttr())
      Call->addParamAttr(
          A.getArgNo(),
          Kernel.getParamAttribute(A.getArgNo(), llvm::Attribute::ByVal));
  B.CreateRetVoid();
  return F;
}

llvm::Constant *ProgramTable::kernels() {
  std::vector<llvm::Constant *> Items;
  for (const Entry &E : Kernels) {
    llvm::Function &F = *E.Kernel;
    std::vector<llvm::Constant *> Sizes;
    for (const llvm::Argument &A : F.args())
      Sizes.push_back(number64(R.M.getDataLayout().getTypeAllocSize(
          A.hasByValAttr() ? A.getParamByValType() : A.getType())));
    F.setCallingConv(llvm::CallingConv::C);
    Items.push_back(llvm::ConstantStruct::getAnon(
        {text(F.getName()), text(symbolName(F.getName().str())), wrapper(F),
         array(Sizes), number32(F.arg_size()), number32(E.MaxThreads),
         number64(E.SharedBytes)}));
  }
  return array(Items);
}

llvm::Constant *ProgramTable::variables() {
  const llvm::DataLayout &Layout = R.M.getDataLayout();
  std::vector<llvm::Constant *> Items;
  auto Add = [&](llvm::GlobalVariable &G, llvm::Constant *Address,
                 bool IsShared) {
    const bool IsConstant = G.isConstant() ||
                            G.getAddressSpace() == ConstantSpace ||
                            G.hasAttribute(ConstantAttribute);
    Items.push_back(llvm::ConstantStruct::getAnon(
        {text(symbolName(G.getName().str())), Address,
         number64(Layout.getTypeAllocSize(G.getValueType())),
         number32(IsShared), number32(IsConstant)}));
  };
  for (const Shared &V : Variables)
    if (!V.Global->isDeclaration())
      Add(*V.Global, llvm::ConstantExpr::getIntToPtr(number64(V.Offset), R.Ptr),
          true);
  for (llvm::GlobalVariable *G : Globals) {
    Add(*G, llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(G, R.Ptr),
        false);
    G->setConstant(false); // Kernels do not write it, but the host may.
  }
  return array(Items);
}

llvm::Constant *ProgramTable::sites() {
  std::vector<llvm::Constant *> Items = {
      llvm::ConstantStruct::getAnon({text(""), number32(0), number32(0)})};
  for (size_t I = 0; I < R.Sites.size(); ++I)
    Items.push_back(llvm::ConstantStruct::getAnon(
        {text(R.Files[I]), number32(R.Sites[I].Line),
         number32(R.Sites[I].Column)}));
  return array(Items);
}

std::vector<llvm::Constant *> ProgramTable::functions() {
  std::vector<llvm::Constant *> Items;
  for (llvm::Function &F : R.M)
    if (!F.isDeclaration() && F.hasAddressTaken())
      Items.push_back(&F);
  return Items;
}

void ProgramTable::measureLocals() {
  for (llvm::Function &F : R.M) {
    uint64_t Bytes = 0;
    for (const llvm::Instruction &I : llvm::instructions(F))
      if (const auto *A = llvm::dyn_cast<llvm::AllocaInst>(&I))
        if (auto Size = A->getAllocationSize(R.M.getDataLayout()))
          Bytes += Size->getFixedValue();
    if (Bytes > simulate::LocalLimit)
      R.refuse(F, "`" + symbolName(F.getName().str()) + "` has " +
                      std::to_string(Bytes) +
                      " bytes of local variables: expected at most " +
                      std::to_string(simulate::LocalLimit));
    LocalBytes = std::max(LocalBytes, Bytes);
  }
}

void ProgramTable::emit() {
  const std::vector<llvm::Constant *> Taken = functions();
  const size_t NumVariables =
      Globals.size() + size_t(llvm::count_if(Variables, [](const Shared &V) {
        return !V.Global->isDeclaration();
      }));
  llvm::Constant *Table = llvm::ConstantStruct::getAnon(
      {kernels(), variables(), sites(), array(Taken), number32(Kernels.size()),
       number32(NumVariables), number32(R.Sites.size() + 1),
       number32(Taken.size()), number32(R.S.Checks), number64(SharedBytes),
       number64(R.S.SharedLimit), number64(LocalBytes)});
  new llvm::GlobalVariable(R.M, Table->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, Table,
                           simulate::ProgramSymbol);
  for (const Shared &V : Variables)
    if (V.Global->use_empty())
      V.Global->eraseFromParent();
}
