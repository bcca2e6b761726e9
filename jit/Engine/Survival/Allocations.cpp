//===- Allocations.cpp - What one compile allocates -----------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include "Budget.h"
#include "CrashGuard.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <malloc.h>

using namespace clinch::engine;

namespace {
constexpr size_t LargeBytes = size_t(1) << 20;
/// Allocations between two looks at the clock.
constexpr unsigned Interval = 256;
constexpr std::chrono::milliseconds Grace(250);

std::atomic<unsigned> Watches{0};
std::atomic<bool> IsLoading{true};
thread_local AllocationWatch *OfThread = nullptr;
} // namespace

AllocationWatch::AllocationWatch(Budget &Limits, size_t Most)
    : Limits(Limits), Most(Most) {
  Watches.fetch_add(1, std::memory_order_relaxed);
}

AllocationWatch::~AllocationWatch() {
  Watches.fetch_sub(1, std::memory_order_relaxed);
}

void AllocationWatch::begin() { OfThread = this; }
void AllocationWatch::end() { OfThread = nullptr; }

AllocationWatch *AllocationWatch::current() {
  if (!Watches.load(std::memory_order_relaxed))
    return nullptr;
  return OfThread && !OfThread->Busy ? OfThread : nullptr;
}

size_t AllocationWatch::bytesOfThread() {
  return OfThread ? size_t(std::max<std::ptrdiff_t>(OfThread->Bytes, 0)) : 0;
}

void AllocationWatch::before(size_t Wanted) {
  const size_t Now = bytesOfThread();
  if (Wanted > Most || Now > Most - Wanted) {
    Bytes += std::ptrdiff_t(std::min(Wanted, size_t(PTRDIFF_MAX) - Now));
    Busy = true;
    (void)Limits.exceeded(); // Sets its message.
    leave();
  }
  if (++Count % Interval == 0 && isLate())
    leave();
}

bool AllocationWatch::isLate() {
  Busy = true;
  if (!Exceeded && Limits.exceeded()) {
    Exceeded = true;
    ExceededAt = Clock::now();
  }
  Busy = false;
  return Exceeded && Clock::now() - ExceededAt > Grace;
}

void AllocationWatch::leave() {
  releaseLarge();
  // Ends the GuardedRun of this thread.
  llvm::report_fatal_error("its limits were exceeded",
                           /*gen_crash_diag=*/false);
}

void AllocationWatch::releaseLarge() {
  OfThread = nullptr;
  for (const auto &[Block, Release] : Large)
    Release(Block);
}

bool AllocationWatch::retryAfterFailure(size_t Wanted) {
  if (OfThread)
    OfThread->releaseLarge();
  endForMemory(Wanted);
  std::new_handler Handler = IsLoading ? std::get_new_handler() : nullptr;
  if (Handler)
    Handler();
  return Handler;
}

static void onBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

void AllocationWatch::endLoading() {
  IsLoading = false;
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(onBadAlloc);
}

void AllocationWatch::after(void *Block, Release R) {
  const size_t Size = malloc_usable_size(Block);
  Bytes += std::ptrdiff_t(Size);
  if (Size < LargeBytes)
    return;
  Busy = true;
  Large.emplace(Block, R);
  Busy = false;
}

void AllocationWatch::released(void *Block) {
  const size_t Size = malloc_usable_size(Block);
  Bytes -= std::ptrdiff_t(Size);
  if (Size < LargeBytes)
    return;
  Busy = true;
  Large.erase(Block);
  Busy = false;
}
