//===- AllocationHooks.cpp - Wrappers of malloc and new -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker's --wrap turns each call of malloc in the library into one of
// __wrap_malloc, and names malloc itself __real_malloc. In the end the host's
// malloc runs, or a sanitizer's. If it fails, the compile ends here, since most
// callers in Clang and LLVM would end the process.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include <cstdlib>
#include <new>

using clinch::engine::AllocationWatch;

[[noreturn]] static void *throwBadAlloc() { throw std::bad_alloc(); }

template <typename NewT> static void *orNull(NewT New) {
  try {
    return New();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses): the
// linker's names
/// Allocates with \p Call. If that fails in a compile, ends the compile, else
/// evaluates \p Otherwise. Further arguments are a Release.
#define CLINCH_WRAP(Name, Parameters, Call, Bytes, Otherwise, ...)             \
  extern "C" void *__wrap_##Name Parameters {                                  \
    AllocationWatch *W = AllocationWatch::current();                           \
    if (W)                                                                     \
      W->before(Bytes);                                                        \
    void *Block = Call;                                                        \
    while (!Block) [[unlikely]] {                                              \
      if (!AllocationWatch::retryAfterFailure(Bytes))                          \
        return Otherwise;                                                      \
      Block = Call;                                                            \
    }                                                                          \
    if (W)                                                                     \
      W->after(Block, {__VA_ARGS__});                                          \
    return Block;                                                              \
  }

#define CLINCH_ALLOCATE(Name, Parameters, Arguments, Bytes, ...)               \
  extern "C" void *__real_##Name Parameters;                                   \
  CLINCH_WRAP(Name, Parameters, __real_##Name Arguments, Bytes, nullptr,       \
              __VA_ARGS__)

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
  if (W)
    W->before(N);
  if (W && P)
    W->released(P);
  void *Block = __real_realloc(P, N);
  while (!Block && N) {
    if (W && P)
      W->after(P, {std::free}); // The old block stays.
    if (!AllocationWatch::retryAfterFailure(N))
      return nullptr;
    Block = __real_realloc(P, N);
  }
  if (W && Block)
    W->after(Block, {std::free});
  return Block;
}

// The mangled names of operator new and delete.
CLINCH_ALLOCATE(_ZnwmRKSt9nothrow_t, (size_t N, const std::nothrow_t &T),
                (N, T), N, ::operator delete)
CLINCH_ALLOCATE(_ZnamRKSt9nothrow_t, (size_t N, const std::nothrow_t &T),
                (N, T), N, ::operator delete[])
CLINCH_ALLOCATE(_ZnwmSt11align_val_tRKSt9nothrow_t,
                (size_t N, std::align_val_t A, const std::nothrow_t &T),
                (N, A, T), N, nullptr, ::operator delete, A)

#define CLINCH_NEW(Name, Parameters, Arguments, ...)                           \
  extern "C" void *__real_##Name Parameters;                                   \
  CLINCH_WRAP(Name, Parameters,                                                \
              orNull([&] { return __real_##Name Arguments; }), N,              \
              throwBadAlloc(), __VA_ARGS__)

CLINCH_NEW(_Znwm, (size_t N), (N), ::operator delete)
CLINCH_NEW(_Znam, (size_t N), (N), ::operator delete[])
CLINCH_NEW(_ZnwmSt11align_val_t, (size_t N, std::align_val_t A), (N, A),
           nullptr, ::operator delete, A)
CLINCH_NEW(_ZnamSt11align_val_t, (size_t N, std::align_val_t A), (N, A),
           nullptr, ::operator delete[], A)
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
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)
