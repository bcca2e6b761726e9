// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams of threads, and what orders them.
//
// Clang numbers threads for the runtime. Nothing here reads that number but to
// pass it on, so it is the number within the team.

#include "Gomp.h"

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <vector>

using namespace clinch;
using namespace clinch::openmp;

namespace {

/// The code of a region; more arguments follow, one for each variable.
using Microtask = void (*)(int32_t *Thread, int32_t *Bound, ...);

extern "C" void clinch_call_microtask(Microtask Code, int32_t *Thread,
                                      int32_t *Bound, void *const *Variables,
                                      size_t Count);

/// What the next region of this thread was asked for.
constinit thread_local unsigned NextThreads = 0, NextBinding = 0;

struct Region {
  Microtask Code;
  std::vector<void *> Variables; ///< Four at least.

  void run() const {
    int32_t Thread = gomp().ThreadNumber(), Bound = 0;
    clinch_call_microtask(Code, &Thread, &Bound, Variables.data(),
                          Variables.size());
  }
};

void runRegion(void *R) { static_cast<const Region *>(R)->run(); }

int32_t global_thread_num(Place *) { return gomp().ThreadNumber(); }

void push_num_threads(Place *, int32_t, int32_t Count) {
  NextThreads = unsigned(Count);
}
void push_proc_bind(Place *, int32_t, int32_t Binding) {
  NextBinding = unsigned(Binding);
}

constexpr size_t InRegisters = 4;

void runOnTeam(Region &R, unsigned Threads) {
  const unsigned Binding = NextBinding;
  NextThreads = NextBinding = 0;
  gomp().parallel(runRegion, &R, Threads, Binding);
}

void fork_call(Place *, int32_t Count, Microtask Code, ...) {
  Region R{Code, {}};
  va_list Given;
  va_start(Given, Code);
  for (int32_t I = 0; I != Count; ++I)
    R.Variables.push_back(va_arg(Given, void *));
  va_end(Given);
  R.Variables.resize(std::max(R.Variables.size(), InRegisters));
  runOnTeam(R, NextThreads);
}

/// Of one variable at most.
void fork_call_if(Place *, int32_t, Microtask Code, int32_t Condition,
                  void *Variable) {
  Region R{Code, std::vector<void *>(InRegisters, Variable)};
  runOnTeam(R, Condition ? NextThreads : 1);
}

/// A region of one thread, which calls its code itself.
void serialized_parallel(Place *, int32_t) {
  NextThreads = NextBinding = 0;
  gomp().parallel_start(nullptr, nullptr, 1);
}
void end_serialized_parallel(Place *, int32_t) { gomp().parallel_end(); }

void barrier(Place *, int32_t) { gomp().barrier(); }
void flush(Place *) { std::atomic_thread_fence(std::memory_order_seq_cst); }

int32_t master(Place *, int32_t) { return gomp().ThreadNumber() == 0; }
void end_master(Place *, int32_t) {}
int32_t masked(Place *, int32_t, int32_t Wanted) {
  return gomp().ThreadNumber() == Wanted;
}
void end_masked(Place *, int32_t) {}

int32_t single(Place *, int32_t) { return gomp().single_start(); }
void end_single(Place *, int32_t) {}

/// Each thread copies from the data of the one that \p Did the region: it
/// leaves them at a place of the first that comes.
void copyprivate(Place *, int32_t, size_t, void *Data,
                 void (*Copy)(void *To, void *From), int32_t Did) {
  void *Own = nullptr;
  void **From = static_cast<void **>(gomp().single_copy_start());
  if (!From) {
    From = &Own;
    gomp().single_copy_end(static_cast<void *>(From));
  }
  if (Did)
    *From = Data;
  gomp().barrier();
  if (!Did)
    Copy(Data, *From);
  gomp().barrier();
}

/// A lock of Clang's, 32 bytes of zeros.
void critical(Place *, int32_t, void **Lock) {
  gomp().critical_name_start(Lock);
}
void critical_with_hint(Place *, int32_t, void **Lock, uint32_t) {
  gomp().critical_name_start(Lock);
}
void end_critical(Place *, int32_t, void **Lock) {
  gomp().critical_name_end(Lock);
}

using Combine = void (*)(void *, void *);
/// Each thread adds its own to the result, one after another.
int32_t reduce(Place *, int32_t, int32_t, size_t, void *, Combine,
               void **Lock) {
  gomp().critical_name_start(Lock);
  return 1;
}
int32_t reduce_nowait(Place *, int32_t, int32_t, size_t, void *, Combine,
                      void **Lock) {
  gomp().critical_name_start(Lock);
  return 1;
}
void end_reduce(Place *, int32_t, void **Lock) {
  gomp().critical_name_end(Lock);
  gomp().barrier();
}
void end_reduce_nowait(Place *, int32_t, void **Lock) {
  gomp().critical_name_end(Lock);
}

void ordered(Place *, int32_t) { gomp().ordered_start(); }
void end_ordered(Place *, int32_t) { gomp().ordered_end(); }

} // namespace

// The first four variables go to registers, the others to the stack.
asm(R"(
  .pushsection .text
  .type clinch_call_microtask, @function
clinch_call_microtask:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %r11             # Code
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %r10             # Variables
  leaq -3(%r8), %rax          # those on the stack, an even number
  andq $-2, %rax
  jle 2f
  shlq $3, %rax
  subq %rax, %rsp
1:
  movq -8(%r10,%r8,8), %rax
  movq %rax, -40(%rsp,%r8,8)
  decq %r8
  cmpq $4, %r8
  ja 1b
2:
  movq (%r10), %rdx
  movq 8(%r10), %rcx
  movq 16(%r10), %r8
  movq 24(%r10), %r9
  xorl %eax, %eax
  call *%r11
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size clinch_call_microtask, .-clinch_call_microtask
  .popsection
)");

void *openmp::findRegion(std::string_view Name) {
  const Entry Entries[] = {
      CLINCH_KMPC(global_thread_num),
      CLINCH_KMPC(push_num_threads),
      CLINCH_KMPC(push_proc_bind),
      CLINCH_KMPC(fork_call),
      CLINCH_KMPC(fork_call_if),
      CLINCH_KMPC(serialized_parallel),
      CLINCH_KMPC(end_serialized_parallel),
      CLINCH_KMPC(barrier),
      CLINCH_KMPC(flush),
      CLINCH_KMPC(master),
      CLINCH_KMPC(end_master),
      CLINCH_KMPC(masked),
      CLINCH_KMPC(end_masked),
      CLINCH_KMPC(single),
      CLINCH_KMPC(end_single),
      CLINCH_KMPC(copyprivate),
      CLINCH_KMPC(critical),
      CLINCH_KMPC(critical_with_hint),
      CLINCH_KMPC(end_critical),
      CLINCH_KMPC(reduce),
      CLINCH_KMPC(reduce_nowait),
      CLINCH_KMPC(end_reduce),
      CLINCH_KMPC(end_reduce_nowait),
      CLINCH_KMPC(ordered),
      CLINCH_KMPC(end_ordered),
  };
  return findIn(Entries, Name);
}
