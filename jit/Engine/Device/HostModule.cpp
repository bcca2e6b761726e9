// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that launches kernels.

#include "HostModule.h"

#include "jit/Cuda/Names.h"
#include "jit/Simulate/SimulatedCode.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace clinch;
using namespace clinch::engine;

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
