//===- DeviceMath.cpp - The functions of lib/Math on GPUs -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceMath.h"

#include "../Backend/MathCalls.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clinch::engine;

extern "C" const char ClinchDeviceMathBegin[], ClinchDeviceMathEnd[];

/// The library as IR, of which only what is asked for is read. It was compiled
/// for no device: its functions become those of the one that \p Caller is for,
/// else none would be inlined.
static std::unique_ptr<llvm::Module> openLibrary(const llvm::Function &Caller) {
  const llvm::StringRef Bytes(ClinchDeviceMathBegin,
                              ClinchDeviceMathEnd - ClinchDeviceMathBegin);
  std::unique_ptr<llvm::Module> Library =
      llvm::cantFail(llvm::getLazyBitcodeModule(
          llvm::MemoryBufferRef(Bytes, "mathematics"), Caller.getContext(),
          /*ShouldLazyLoadMetadata=*/true));
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

void clinch::engine::linkDeviceMath(llvm::Module &M) {
  simplifyMathCalls(M);
  const llvm::Function *Caller = nullptr;
  forEachMathCall(M, [&](llvm::CallInst &C, const MathFunction &F) {
    // Clang makes no vectors of what is one number for each thread.
    if (F.Lanes)
      return;
    C.setCalledFunction(
        M.getOrInsertFunction("clinch_" + F.name(), C.getFunctionType()));
    C.setAttributes({});
    Caller = C.getFunction();
  });
  if (Caller)
    llvm::Linker::linkModules(M, openLibrary(*Caller),
                              llvm::Linker::LinkOnlyNeeded);
}
