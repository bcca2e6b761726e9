// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that a signal interrupted.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace clinch {

/// The innermost frames of authors' code that a signal found, as addresses of
/// instructions.
class CrashFrames {
public:
  static constexpr size_t Most = 5, Farthest = 10000;

  /// Takes the frames that \p Context, in this thread, has interrupted, up to
  /// the frame that \p End lies in. Signal-safe.
  void take(const ucontext_t &Context, const void *End);

  size_t count() const { return Count < Most ? Count : Most; }
  /// The number of all frames, at most Farthest.
  size_t total() const { return Count; }
  uintptr_t operator[](size_t I) const { return Addresses.at(I); }

  /// Adds a frame if it is of an author's code; returns whether to go on.
  bool add(uintptr_t Address, uintptr_t Stack);

private:
  std::array<uintptr_t, Most> Addresses{};
  size_t Count = 0;
  uintptr_t End = 0;
};

} // namespace clinch
