// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stack to switch to.

#include "Fiber.h"
#include "SimulatedCode.h"

#include <cstdint>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

using namespace clinch::simulate;

// The registers that a call keeps. A new stack begins in clinch_sim_begin, with
// a function and its argument in two of them.
__asm__(R"(
.text
.globl clinch_sim_switch
.hidden clinch_sim_switch
.type clinch_sim_switch,@function
clinch_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size clinch_sim_switch, .-clinch_sim_switch
.globl clinch_sim_begin
.hidden clinch_sim_begin
.type clinch_sim_begin,@function
clinch_sim_begin:
  .cfi_startproc
  .cfi_undefined %rip
  movq %r12, %rdi
  callq *%rbx
  ud2
  .cfi_endproc
.size clinch_sim_begin, .-clinch_sim_begin
)");
extern "C" void clinch_sim_begin();

#ifdef __SANITIZE_ADDRESS__
void clinch::simulate::switchStacks(void **Save, void *To, StackBounds Bounds,
                                    bool IsLast) {
  void *Frames = nullptr; // Which it keeps elsewhere.
  __sanitizer_start_switch_fiber(IsLast ? nullptr : &Frames, Bounds.Low,
                                 Bounds.Bytes);
  clinch_sim_switch(Save, To);
  __sanitizer_finish_switch_fiber(Frames, nullptr, nullptr);
}

StackBounds clinch::simulate::beginStack() {
  StackBounds Before;
  __sanitizer_finish_switch_fiber(nullptr, &Before.Low, &Before.Bytes);
  return Before;
}
#else
void clinch::simulate::switchStacks(void **Save, void *To, StackBounds, bool) {
  clinch_sim_switch(Save, To);
}

StackBounds clinch::simulate::beginStack() { return {}; }
#endif

Stacks::~Stacks() {
  if (Base)
    munmap(Base, Bytes);
}

bool Stacks::map(size_t Count, size_t LocalBytes) {
  // What a device has for local variables, our own frames, and, as a function
  // finds out only when it has its frame that there is no room for one more,
  // one more.
  Size = LocalLimit + (size_t(256) << 10) +
         (LocalBytes + Guard - 1) / Guard * Guard;
  Bytes = Count * Size;
  void *Mapped = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Mapped == MAP_FAILED)
    return false;
  Base = static_cast<char *>(Mapped);
  for (size_t I = 0; I < Count; ++I)
    if (mprotect(Base + I * Size, Guard, PROT_NONE) != 0)
      return false;
  return true;
}

void *Stacks::start(size_t I, void (*Run)(void *), void *Argument) const {
  // What clinch_sim_switch() pops, and where it returns to: there the stack
  // is as it is where a function is called.
  auto *Top = reinterpret_cast<uintptr_t *>(Base + (I + 1) * Size) - 9;
  Top[0] = Top[1] = Top[2] = 0;                   // r15, r14, r13
  Top[3] = reinterpret_cast<uintptr_t>(Argument); // r12
  Top[4] = reinterpret_cast<uintptr_t>(Run);      // rbx
  Top[5] = 0;                                     // rbp
  Top[6] = reinterpret_cast<uintptr_t>(&clinch_sim_begin);
  return Top;
}
