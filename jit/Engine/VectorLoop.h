//===- VectorLoop.h - A loop as the vectoriser makes it ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_VECTORLOOP_H
#define CLINCH_JIT_ENGINE_VECTORLOOP_H

#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clinch::engine {

/// A block that the vectoriser made of a loop which fills one array, item after
/// item, from what does not depend on the turns before:
///
///   for (Index = 0; Index != End; Index += Step)
///     Stores[0], Stores[1], ...: vectors that lie one behind the other
///
/// What is computed from Index are addresses, and would be right for any other
/// Index too; nothing computed in it is used behind it.
struct VectorLoop {
  /// The loop whose body \p B is, if it is one.
  static std::optional<VectorLoop> recognise(llvm::BasicBlock &B);

  llvm::BasicBlock *Body;
  llvm::BasicBlock *Before = nullptr, *After = nullptr;
  llvm::PHINode *Index = nullptr;
  llvm::ICmpInst *Test = nullptr; ///< Of the next Index with End.
  llvm::Value *End = nullptr;
  uint64_t Step = 0;
  std::vector<llvm::StoreInst *> Stores;
  uint64_t Lanes = 0, ItemSize = 0; ///< Of each vector that is stored.

private:
  explicit VectorLoop(llvm::BasicBlock &B) : Body(&B) {}

  bool findCount();
  bool findStores();
  bool sortStores();
  bool isInBody(const llvm::Value *V) const;
  bool isPlain(const llvm::Instruction &I) const;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_VECTORLOOP_H
