// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of simulate() share -*- C++ -*.

#pragma once

#include "Simulate.h"
#include "jit/Simulate/SimulatedCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"

#include <vector>

namespace clinch::engine {

/// Address spaces of NVPTX.
constexpr unsigned GlobalSpace = 1, SharedSpace = 3, ConstantSpace = 4;
/// Marks variables that were constant until prepareChecks().
constexpr const char *ConstantAttribute = "clinch-constant";

/// A module on its way from the device to the processor.
class Rewriter {
public:
  Rewriter(llvm::Module &M, const Simulation &S)
      : M(M), S(S), Ptr(llvm::PointerType::get(M.getContext(), 0)),
        I32(llvm::Type::getInt32Ty(M.getContext())),
        I64(llvm::Type::getInt64Ty(M.getContext())) {}

  /// Returns the thread that runs, as simulate::ThreadView.
  llvm::Value *self(llvm::Function &F);
  /// Returns a field of it, which lies \p Offset bytes within.
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Type *Type, size_t Offset);
  /// Calls a function of the simulator.
  llvm::CallInst *call(llvm::IRBuilder<> &B, const char *Name,
                       llvm::Type *Result, llvm::ArrayRef<llvm::Value *> Given);
  /// Returns the number of the author's line, column and file.
  uint32_t site(const llvm::Instruction &I);
  llvm::Value *siteOf(llvm::IRBuilder<> &B, const llvm::Instruction &I) {
    return B.getInt32(site(I));
  }
  void refuse(const llvm::Instruction &I, const llvm::Twine &What);
  void refuse(const llvm::Function &F, const llvm::Twine &What);

  /// What the device does and the processor does otherwise.
  void rewriteCall(llvm::CallInst &C);
  void rewriteAtomic(llvm::Instruction &I);
  void rewriteDivision(llvm::BinaryOperator &I);
  void addCheck(llvm::Instruction &I);

  llvm::Module &M;
  const Simulation &S;
  llvm::PointerType *Ptr;
  llvm::Type *I32, *I64;
  std::vector<simulate::Site> Sites; ///< Without the first; names as below.
  std::vector<std::string> Files;    ///< By site.
  std::vector<Diagnostic> Refused;

private:
  bool rewriteRegister(llvm::IRBuilder<> &B, llvm::CallInst &C,
                       llvm::StringRef Name);
  bool rewriteBarrier(llvm::IRBuilder<> &B, llvm::CallInst &C,
                      llvm::StringRef Name);
  bool rewriteWarp(llvm::IRBuilder<> &B, llvm::CallInst &C,
                   llvm::StringRef Name);
  bool rewriteOther(llvm::IRBuilder<> &B, llvm::CallInst &C,
                    llvm::StringRef Name);
  bool rewriteMathematics(llvm::IRBuilder<> &B, llvm::CallInst &C,
                          llvm::StringRef Name);
  bool rewriteFunction(llvm::IRBuilder<> &B, llvm::CallInst &C,
                       llvm::StringRef Name);
  void replace(llvm::CallInst &C, llvm::Value *By);
  void check(llvm::Instruction &Before, llvm::Value *At, llvm::Value *Size,
             llvm::Align Align, simulate::Access Kind);

  llvm::DenseMap<llvm::Function *, llvm::Value *> Selves;
  llvm::StringMap<uint32_t> Numbers; ///< Of sites, by whole places.
};

} // namespace clinch::engine
