// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, and host code that launches them.

#include "Kernels.h"
#include "jit/Cuda/Names.h"
#include "jit/Simulate/SimulatedCode.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

using namespace clinch::engine;
using namespace clinch;

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

/// Returns the calls of a function that the module may use.
static std::vector<llvm::CallInst *> callsOf(llvm::Module &M,
                                             llvm::StringRef Name) {
  std::vector<llvm::CallInst *> Calls;
  if (llvm::Function *F = M.getFunction(Name))
    for (llvm::User *U : F->users())
      if (auto *C = llvm::dyn_cast<llvm::CallInst>(U))
        Calls.push_back(C);
  return Calls;
}

void clinch::engine::unloadWithCode(llvm::Module &M) {
  llvm::Function *Unload = M.getFunction("__cuda_module_dtor");
  if (!Unload)
    return;
  for (llvm::CallInst *C : callsOf(M, "atexit"))
    if (C->getArgOperand(0) == Unload)
      C->eraseFromParent();
  if (llvm::Function *F = M.getFunction("atexit"); F && F->use_empty())
    F->eraseFromParent();
  // Among the last: objects that are destroyed may launch kernels.
  constexpr int Last = 0;
  llvm::appendToGlobalDtors(M, Unload, Last);
}

/// Puts \p Prefix before the names of what is called of CUDA's runtime.
static void callRuntime(llvm::Module &M, llvm::StringRef Prefix) {
  for (std::string_view Name : cuda::FunctionsOfRuntime)
    if (llvm::Function *F = M.getFunction(Name); F && F->isDeclaration())
      F->setName(Prefix + Name);
}

void clinch::engine::useDriver(llvm::Module &M) {
  callRuntime(M, cuda::DevicePrefix);
}

void clinch::engine::useSimulator(llvm::Module &M) {
  for (llvm::CallInst *C : callsOf(M, "__cudaRegisterFatBinary")) {
    llvm::Constant *Program = M.getOrInsertGlobal(
        simulate::ProgramSymbol, llvm::Type::getInt8Ty(M.getContext()));
    C->setCalledFunction(
        M.getOrInsertFunction("__cudaRegisterProgram", C->getFunctionType()));
    C->setArgOperand(0, Program);
  }
  callRuntime(M, cuda::SimulatedPrefix);
}

void clinch::engine::linkProgram(llvm::Module &M,
                                 std::unique_ptr<llvm::Module> Program) {
  // What was said of it for the device, and of its lines.
  llvm::StripDebugInfo(*Program);
  for (llvm::NamedMDNode &Node :
       llvm::make_early_inc_range(Program->named_metadata()))
    Node.eraseFromParent();
  // The host has a variable of the same name for each that it can reach.
  for (llvm::GlobalVariable &G : Program->globals())
    if (!G.isDeclaration() && G.getName() != simulate::ProgramSymbol) {
      G.setComdat(nullptr);
      G.setLinkage(llvm::GlobalValue::InternalLinkage);
      if (G.isExternallyInitialized()) // The host writes to constants.
        G.setConstant(false);
    }
  llvm::Linker::linkModules(M, std::move(Program));
}
