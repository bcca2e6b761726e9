// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of lib/Math on GPUs.

#include "DeviceMath.h"

#include "../Backend/MathCalls.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Error.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace clinch::engine;

extern "C" const char ClinchDeviceMathBegin[], ClinchDeviceMathEnd[];

/// A library as IR, of which only what is asked for is read; null if \p Bytes
/// are none. It was compiled for no device: its functions become those of the
/// one that \p Caller is for, else none would be inlined.
static std::unique_ptr<llvm::Module> openLibrary(llvm::MemoryBufferRef Bytes,
                                                 const llvm::Function &Caller) {
  llvm::Expected<std::unique_ptr<llvm::Module>> Read =
      llvm::getLazyBitcodeModule(Bytes, Caller.getContext(),
                                 /*ShouldLazyLoadMetadata=*/true);
  if (!Read) {
    llvm::consumeError(Read.takeError());
    return nullptr;
  }
  std::unique_ptr<llvm::Module> Library = std::move(*Read);
  Library->setTargetTriple(Caller.getParent()->getTargetTriple());
  Library->setDataLayout(Caller.getParent()->getDataLayout());
  for (llvm::NamedMDNode &Node :
       llvm::make_early_inc_range(Library->named_metadata()))
    Node.eraseFromParent();
  for (llvm::Function &F : *Library) {
    for (const char *Of : {"target-cpu", "target-features"})
      F.addFnAttr(Caller.getFnAttribute(Of));
    F.removeFnAttr("no-builtins");
  }
  return Library;
}

/// Makes calls of what Clang makes of `fmod`, for which GPUs have an
/// instruction that errs. Returns a function with such a call, or null.
static const llvm::Function *callRestOfDivision(llvm::Module &M,
                                                const std::string &Prefix) {
  const llvm::Function *Caller = nullptr;
  for (llvm::Function &F : M)
    for (llvm::Instruction &I :
         llvm::make_early_inc_range(llvm::instructions(F))) {
      llvm::Type *T = I.getType();
      if (I.getOpcode() != llvm::Instruction::FRem ||
          !(T->isFloatTy() || T->isDoubleTy()))
        continue;
      const llvm::FunctionCallee Of = M.getOrInsertFunction(
          Prefix + (T->isFloatTy() ? "fmodf" : "fmod"), T, T, T);
      llvm::ReplaceInstWithInst(
          &I, llvm::CallInst::Create(Of, {I.getOperand(0), I.getOperand(1)}));
      Caller = &F;
    }
  return Caller;
}

bool clinch::engine::linkDeviceMath(llvm::Module &M,
                                    const llvm::MemoryBuffer *Libdevice) {
  simplifyMathCalls(M, /*KeepsErrno=*/false);
  const std::string Prefix = Libdevice ? "__nv_" : "clinch_";
  const llvm::Function *Caller = callRestOfDivision(M, Prefix);
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    // Clang makes no vectors of what is one number for each thread.
    if (F.Lanes)
      return;
    C.setCalledFunction(
        M.getOrInsertFunction(Prefix + F.name(), C.getFunctionType()));
    C.setAttributes({});
    Caller = C.getFunction();
  });
  if (!Caller)
    return true;
  const llvm::StringRef Own(ClinchDeviceMathBegin,
                            ClinchDeviceMathEnd - ClinchDeviceMathBegin);
  std::unique_ptr<llvm::Module> Library =
      openLibrary(Libdevice ? Libdevice->getMemBufferRef()
                            : llvm::MemoryBufferRef(Own, "mathematics"),
                  *Caller);
  return Library && !llvm::Linker::linkModules(M, std::move(Library),
                                               llvm::Linker::LinkOnlyNeeded);
}
