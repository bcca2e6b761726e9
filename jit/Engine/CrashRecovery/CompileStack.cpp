// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack of one compile.

#include "CompileStack.h"

#include <functional>
#include <sys/mman.h>

using namespace clinch::engine;

namespace {
/// Each nesting level takes 0.8 kB in the parser, and much more in recursive
/// passes; only touched pages take memory. AddressSanitizer clears no larger
/// stack after a longjmp.
constexpr size_t StackSize = size_t(64) << 20;
constexpr size_t HandlerSize = size_t(64) << 10;
constexpr size_t GuardSize = size_t(64) << 10;
constexpr size_t TotalSize = GuardSize + HandlerSize + GuardSize + StackSize;
} // namespace

CompileStack::CompileStack() {
  void *M =
      mmap(nullptr, TotalSize, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (M == MAP_FAILED)
    return;
  Memory = M;
  auto *Bytes = static_cast<char *>(M);
  mprotect(Bytes, GuardSize, PROT_NONE);
  mprotect(Bytes + GuardSize + HandlerSize, GuardSize, PROT_NONE);
}

CompileStack::~CompileStack() {
  if (Memory)
    munmap(Memory, TotalSize);
}

void *CompileStack::handlerStack() const {
  return static_cast<char *>(Memory) + GuardSize;
}
void *CompileStack::bottom() const {
  return static_cast<char *>(Memory) + GuardSize + HandlerSize + GuardSize;
}
size_t CompileStack::size() { return StackSize; }
size_t CompileStack::handlerStackSize() { return HandlerSize; }

bool CompileStack::isBelow(const void *Address) const {
  auto *Bottom = static_cast<const char *>(bottom());
  return std::less<>()(Address, Bottom) &&
         std::greater_equal<>()(Address, Bottom - GuardSize);
}
