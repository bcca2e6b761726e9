//===- VectorMath.h - glibc's vector functions -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If libmvec may compute vectors, it computes scalars too: the remainder of a
// loop and a single call use the same function, with the value in every lane.
// So a value gives the same bits wherever it stands, in every tier.
//
// Between hide() and lower() a call names a placeholder. LLVM knows only the
// numbers of lanes that it comes in.
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

  /// Runs before the passes. Replaces each call that libmvec has a version of
  /// by a call of a placeholder.
  void hide(llvm::Module &M) const;
  /// Runs after the passes. Lowers the placeholders to calls of libmvec.
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
