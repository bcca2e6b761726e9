// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a host can launch.

#include "Kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

using namespace clinch::engine;

namespace {

constexpr unsigned SharedSpace = 3;

/// What a kernel uses, also by way of functions and of constant expressions.
using Uses = llvm::SetVector<const llvm::Value *>;

void addOperands(const llvm::User &U, Uses &Found) {
  for (const llvm::Value *O : U.operand_values())
    if (llvm::isa<llvm::Constant>(O))
      Found.insert(O);
}

uint64_t sharedBytes(const llvm::Function &Kernel) {
  const llvm::DataLayout &DL = Kernel.getDataLayout();
  Uses Found;
  Found.insert(&Kernel);
  uint64_t Bytes = 0;
  for (size_t I = 0; I != Found.size(); ++I) {
    const llvm::Value *V = Found[I];
    if (const auto *F = llvm::dyn_cast<llvm::Function>(V)) {
      for (const llvm::BasicBlock &B : *F)
        for (const llvm::Instruction &In : B)
          addOperands(In, Found);
    } else if (const auto *G = llvm::dyn_cast<llvm::GlobalVariable>(V)) {
      if (G->getAddressSpace() == SharedSpace)
        Bytes = llvm::alignTo(Bytes, G->getAlign().valueOrOne()) +
                DL.getTypeAllocSize(G->getValueType());
      if (G->hasInitializer())
        Found.insert(G->getInitializer());
    } else {
      addOperands(*llvm::cast<llvm::User>(V), Found);
    }
  }
  return Bytes;
}

/// Returns the name of a function without what it takes and returns.
std::string writtenName(const std::string &Symbol) {
  llvm::ItaniumPartialDemangler D;
  if (D.partialDemangle(Symbol.c_str()))
    return Symbol;
  std::string Whole = llvm::demangle(Symbol);
  char *Parameters = D.getFunctionParameters(nullptr, nullptr);
  const std::string Behind = Parameters ? Parameters : "";
  std::free(Parameters);
  if (llvm::StringRef(Whole).ends_with(Behind))
    Whole.resize(Whole.size() - Behind.size());
  // A template's name has its result before it.
  char *Result = D.getFunctionReturnType(nullptr, nullptr);
  const std::string Before = Result && *Result ? Result + std::string(" ") : "";
  std::free(Result);
  return llvm::StringRef(Whole).starts_with(Before)
             ? Whole.substr(Before.size())
             : Whole;
}

} // namespace

std::vector<Kernel> clinch::engine::kernelsOf(const llvm::Module &M) {
  const llvm::DataLayout &DL = M.getDataLayout();
  std::vector<Kernel> Result;
  for (const llvm::Function &F : M) {
    if (F.getCallingConv() != llvm::CallingConv::PTX_Kernel ||
        F.isDeclaration())
      continue;
    Kernel K;
    K.Symbol = F.getName().str();
    K.Name = writtenName(K.Symbol);
    for (const llvm::Argument &A : F.args()) {
      llvm::Type *T = A.getParamByValType();
      const llvm::Align Own = DL.getABITypeAlign(T ? T : A.getType());
      K.Parameters.push_back(
          {DL.getTypeAllocSize(T ? T : A.getType()),
           std::max(Own, A.getParamAlign().valueOrOne()).value()});
    }
    K.SharedBytes = sharedBytes(F);
    Result.push_back(std::move(K));
  }
  std::sort(Result.begin(), Result.end(), [](const Kernel &A, const Kernel &B) {
    return A.Symbol < B.Symbol;
  });
  return Result;
}
