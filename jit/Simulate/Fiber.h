// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stack to switch to.

#pragma once

#include <cstddef>

namespace clinch::simulate {

/// Saves the registers of whoever calls and the address of its stack, and goes
/// on where \p To was saved.
extern "C" void clinch_sim_switch(void **Save, void *To);

/// Where a stack lies: AddressSanitizer must know it at each switch. Otherwise
/// nobody looks.
struct StackBounds {
  const void *Low = nullptr;
  size_t Bytes = 0;
};

/// As clinch_sim_switch(), to a stack within \p Bounds. If \p IsLast, nothing
/// goes on where this was called.
void switchStacks(void **Save, void *To, StackBounds Bounds, bool IsLast);
/// Called first of all on a new stack. Returns the bounds of the one before.
StackBounds beginStack();

/// Stacks of one size, each with a page below it that nobody may touch.
class Stacks {
public:
  ~Stacks();
  /// Maps \p Count stacks, for functions of at most \p LocalBytes of local
  /// variables each. False: there is no memory.
  bool map(size_t Count, size_t LocalBytes);
  char *low(size_t I) const { return Base + I * Size + Guard; }
  StackBounds bounds(size_t I) const { return {low(I), Size - Guard}; }
  /// Returns what clinch_sim_switch() goes to for `Run(Argument)` to be called
  /// on the stack \p I. It may not return.
  void *start(size_t I, void (*Run)(void *), void *Argument) const;

private:
  static constexpr size_t Guard = 4096;

  char *Base = nullptr;
  size_t Bytes = 0, Size = 0;
};

} // namespace clinch::simulate
