//===- HeldLocks.h - Counts the locks a thread holds ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compile that is ended half-way, by an allocation that fails or a crash,
// leaves the locks of LLVM that it held locked, and its static variables half
// made: the next compile would wait for them for ever. The wrappers in
// LockHooks.cpp count the locks, so that such an engine is left alone.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_HELDLOCKS_H
#define CLINCH_JIT_ENGINE_SURVIVAL_HELDLOCKS_H

namespace clinch::engine {

class HeldLocks {
public:
  static int ofThread() { return Count; }
  static void add(int Locks) { Count += Locks; }

private:
  static inline thread_local int Count = 0;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_SURVIVAL_HELDLOCKS_H
