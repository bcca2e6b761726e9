//===- AllocationHooks.cpp - Wrappers of malloc and new -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker's --wrap turns each call of malloc in the library into one of
// __wrap_malloc, and names malloc itself __real_malloc. In the end the host's
// malloc runs, or a sanitizer's.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include <cstdlib>
#include <new>

using clinch::engine::AllocationWatch;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
#define CLINCH_ALLOCATE(Name, Parameters, Arguments, Bytes, ...)               \
  extern "C" void *__real_##Name Parameters;                                   \
  extern "C" void *__wrap_##Name Parameters {                                  \
    AllocationWatch *W = AllocationWatch::current();                           \
    if (!W)                                                                    \
      return __real_##Name Arguments;                                          \
    W->before(Bytes);                                                          \
    void *Block = __real_##Name Arguments;                                     \
    if (Block)                                                                 \
      W->after(Block, {__VA_ARGS__});                                          \
    return Block;                                                              \
  }

#define CLINCH_RELEASE(Name, Parameters, Arguments)                            \
  extern "C" void __real_##Name Parameters;                                    \
  extern "C" void __wrap_##Name Parameters {                                   \
    AllocationWatch *W = AllocationWatch::current();                           \
    if (W && P)                                                                \
      W->released(P);                                                          \
    __real_##Name Arguments;                                                   \
  }

CLINCH_ALLOCATE(malloc, (size_t N), (N), N, std::free)
CLINCH_ALLOCATE(calloc, (size_t N, size_t M), (N, M),
                M &&N > SIZE_MAX / M ? SIZE_MAX : N * M, std::free)
CLINCH_ALLOCATE(aligned_alloc, (size_t A, size_t N), (A, N), N, std::free)
CLINCH_RELEASE(free, (void *P), (P))

extern "C" void *__real_realloc(void *P, size_t N);
extern "C" void *__wrap_realloc(void *P, size_t N) {
  AllocationWatch *W = AllocationWatch::current();
  if (!W)
    return __real_realloc(P, N);
  W->before(N);
  if (P)
    W->released(P);
  void *Block = __real_realloc(P, N);
  if (Block || (P && N))
    W->after(Block ? Block : P, {std::free}); // The old block stays.
  return Block;
}

// The mangled names of operator new and delete.
CLINCH_ALLOCATE(_Znwm, (size_t N), (N), N, ::operator delete)
CLINCH_ALLOCATE(_Znam, (size_t N), (N), N, ::operator delete[])
CLINCH_ALLOCATE(_ZnwmRKSt9nothrow_t, (size_t N, const std::nothrow_t &T),
                (N, T), N, ::operator delete)
CLINCH_ALLOCATE(_ZnamRKSt9nothrow_t, (size_t N, const std::nothrow_t &T),
                (N, T), N, ::operator delete[])
CLINCH_ALLOCATE(_ZnwmSt11align_val_t, (size_t N, std::align_val_t A), (N, A), N,
                nullptr, ::operator delete, A)
CLINCH_ALLOCATE(_ZnamSt11align_val_t, (size_t N, std::align_val_t A), (N, A), N,
                nullptr, ::operator delete[], A)
CLINCH_ALLOCATE(_ZnwmSt11align_val_tRKSt9nothrow_t,
                (size_t N, std::align_val_t A, const std::nothrow_t &T),
                (N, A, T), N, nullptr, ::operator delete, A)
CLINCH_RELEASE(_ZdlPv, (void *P), (P))
CLINCH_RELEASE(_ZdaPv, (void *P), (P))
CLINCH_RELEASE(_ZdlPvm, (void *P, size_t N), (P, N))
CLINCH_RELEASE(_ZdaPvm, (void *P, size_t N), (P, N))
CLINCH_RELEASE(_ZdlPvSt11align_val_t, (void *P, std::align_val_t A), (P, A))
CLINCH_RELEASE(_ZdaPvSt11align_val_t, (void *P, std::align_val_t A), (P, A))
CLINCH_RELEASE(_ZdlPvmSt11align_val_t, (void *P, size_t N, std::align_val_t A),
               (P, N, A))
CLINCH_RELEASE(_ZdaPvmSt11align_val_t, (void *P, size_t N, std::align_val_t A),
               (P, N, A))
// NOLINTEND(bugprone-reserved-identifier)
