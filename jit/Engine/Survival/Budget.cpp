//===- Budget.cpp - Limits on one compile -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Budget.h"

#include "Allocations.h"

using namespace clinch;
using namespace clinch::engine;

Budget::Budget(const CompileOptions &O)
    : TimeLimitMs(O.TimeLimitMs), MemoryLimit(O.MemoryLimit),
      Start(Clock::now()) {}

bool Budget::exceeded() {
  if (wasExceeded())
    return true;
  if (Cancelled.load(std::memory_order_relaxed))
    Message = "The compile was interrupted.";
  if (TimeLimitMs &&
      Clock::now() - Start > std::chrono::milliseconds(TimeLimitMs))
    Message = "The compile took longer than its limit of " +
              std::to_string(TimeLimitMs) + " ms.";
  else if (MemoryLimit && AllocationWatch::bytesOfThread() > MemoryLimit)
    Message = "The compile took more memory than its limit of " +
              std::to_string(MemoryLimit) + " bytes.";
  return wasExceeded();
}
