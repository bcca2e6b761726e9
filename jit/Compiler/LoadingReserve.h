//===- LoadingReserve.h - Memory reserved for loading -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While the engine is loaded, the constructors of its static variables run, and
// a failed allocation there would end the process. So some memory is reserved
// before, and released when `operator new` finds none; the engine's malloc asks
// the same handler, see AllocationWatch::retryAfterFailure().
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_LOADINGRESERVE_H
#define CLINCH_JIT_COMPILER_LOADINGRESERVE_H

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

namespace clinch {

/// Must be used under ProcessLock::EngineLoading.
class LoadingReserve {
public:
  LoadingReserve() : Before(std::set_new_handler(letGo)) {
    Tries = MostTries;
    Kept = std::malloc(Bytes);
  }
  ~LoadingReserve() {
    std::set_new_handler(Before);
    std::free(Kept.exchange(nullptr));
  }
  LoadingReserve(const LoadingReserve &) = delete;
  LoadingReserve &operator=(const LoadingReserve &) = delete;

  /// Whether there is as much memory as loading may take.
  explicit operator bool() const { return Kept != nullptr; }

private:
  static constexpr size_t Bytes = size_t(4) << 20;
  static constexpr int MostTries = 100;

  /// `operator new` tries again afterwards. Other threads may free memory, too.
  static void letGo() {
    std::free(Kept.exchange(nullptr));
    if (--Tries < 0)
      throw std::bad_alloc();
    std::this_thread::yield();
  }

  static inline constinit std::atomic<void *> Kept{nullptr};
  static inline constinit std::atomic<int> Tries{0};
  const std::new_handler Before;
};

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_LOADINGRESERVE_H
