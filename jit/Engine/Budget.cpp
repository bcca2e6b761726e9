//===- Budget.cpp - Limits on one compile -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Budget.h"

#include "HostSanitizer.h"

#include <malloc.h>

using namespace clinch;
using namespace clinch::engine;

/// What the process has allocated. Other threads count too: nothing tells whose
/// an allocation is.
static size_t heapInUse() {
  if (__sanitizer_get_current_allocated_bytes)
    return __sanitizer_get_current_allocated_bytes();
  struct mallinfo2 Info = mallinfo2();
  return Info.uordblks + Info.hblkhd;
}

Budget::Budget(const CompileOptions &O)
    : TimeLimitMs(O.TimeLimitMs), MemoryLimit(O.MemoryLimit),
      Start(Clock::now()) {
  if (MemoryLimit)
    HeapAtStart = heapInUse();
}

bool Budget::exceeded() {
  if (wasExceeded())
    return true;
  if (Cancelled.load(std::memory_order_relaxed))
    Message = "The compile was interrupted.";
  if (TimeLimitMs &&
      Clock::now() - Start > std::chrono::milliseconds(TimeLimitMs))
    Message = "The compile took longer than its limit of " +
              std::to_string(TimeLimitMs) + " ms.";
  else if (size_t Now = MemoryLimit ? heapInUse() : 0;
           Now > HeapAtStart && Now - HeapAtStart > MemoryLimit)
    Message = "The compile took more memory than its limit of " +
              std::to_string(MemoryLimit) + " bytes.";
  return wasExceeded();
}
