//===- CrashGuard.h - Crashes that come back as errors -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_CRASHGUARD_H
#define CLINCH_JIT_ENGINE_CRASHGUARD_H

#include <cstddef>
#include <functional>
#include <string>

namespace clinch::engine {

/// The stack of one compile, and the small one on which a signal handler still
/// runs when the first has overflowed.
class CompileStack {
public:
  CompileStack();
  ~CompileStack();
  CompileStack(const CompileStack &) = delete;
  CompileStack &operator=(const CompileStack &) = delete;

  explicit operator bool() const { return Memory != nullptr; }
  void *bottom() const;
  static size_t size();
  void *handlerStack() const;
  static size_t handlerStackSize();

private:
  void *Memory = nullptr;
};

/// Runs \p Work in a thread of its own on \p Stack and waits for it. A signal
/// that says that the compiler crashed, and LLVM's fatal errors, end the work;
/// what went wrong is returned then, and nothing that the work allocated is
/// given back. The signal handlers of the host are in place again when no
/// compile runs, and get all signals of its other threads meanwhile.
std::string runGuarded(CompileStack &Stack, const std::function<void()> &Work);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_CRASHGUARD_H
