//===- VectorMath.h - glibc's vector functions -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where vectors may be computed by libmvec, all is: what a loop leaves over and
// what stands alone is computed by the same function, with its value in every
// lane. So a value gives the same bits wherever it stands and in whichever
// tier.
//
// Between hide() and lower() a call is one of a function that LLVM knows
// nothing of but how many lanes it can be had for.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_VECTORMATH_H
#define CLINCH_JIT_ENGINE_BACKEND_VECTORMATH_H

#include "VectorABI.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace clinch::engine {

class VectorMath {
public:
  explicit VectorMath(const llvm::TargetMachine &TM);

  /// Before all passes: gives every call that libmvec has a version for a name
  /// of our own.
  void hide(llvm::Module &M) const;
  /// Behind all passes: makes them calls of libmvec.
  void lower(llvm::Module &M) const;

private:
  using Callers = llvm::DenseMap<const llvm::Function *, bool>;

  bool hasRegisters(const llvm::Function &F, Callers &Known) const;
  llvm::Function *declareHidden(llvm::Module &M, const MathFunction &F) const;
  std::string variants(llvm::Module &M, const MathFunction &F) const;
  void lowerCall(llvm::CallInst &C, const MathFunction &F,
                 Callers &Known) const;
  llvm::Value *callVector(llvm::IRBuilder<> &B, const MathFunction &F,
                          llvm::ArrayRef<llvm::Value *> Arguments) const;
  llvm::Value *callHelper(llvm::CallInst &C, const MathFunction &F) const;
  llvm::Function *helper(llvm::Module &M, MathFunction F) const;

  const llvm::TargetMachine &TM;
  VectorABI ABI;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_VECTORMATH_H
