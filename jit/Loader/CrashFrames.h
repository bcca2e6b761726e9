// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that a signal interrupted.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ucontext.h>

namespace clinch {

/// Returns the name of an author's text whose code an address is in, or null.
/// Known of code that CrashNotes knows. Signal-safe.
const char *fileOfCode(uintptr_t Address);

/// A frame of an author's code, and what was in its registers.
struct CrashFrame {
  uintptr_t Address = 0; ///< Of an instruction of the line.
  bool IsExact = false;  ///< A signal interrupted it; else it called what did.
  /// By DWARF's numbers. Of a frame that is not exact, only those that calls
  /// preserve are known.
  std::array<uint64_t, 16> General{};
  std::array<std::array<uint64_t, 2>, 16> Vector{};

  bool knows(unsigned Register) const;
};

/// The innermost frames that a signal found, and a copy of their stack: it is
/// used again once the frames are left.
class CrashFrames {
public:
  static constexpr size_t Most = 5, Farthest = 10000;

  /// Takes those that \p Context, in this thread, has interrupted, up to the
  /// one that \p End lies in. Signal-safe.
  void take(const ucontext_t &Context, const void *End);
  void forget();

  size_t count() const { return Count < Most ? Count : Most; }
  /// Of all, those that are not kept too; at most Farthest.
  size_t total() const { return Count; }
  const CrashFrame &operator[](size_t I) const { return Frames.at(I); }

  uintptr_t stackBegin() const { return Begin; }
  size_t stackSize() const { return Size; }
  const char *stack() const { return Copy; }

  /// Adds a frame unless it is no author's; returns whether to go on.
  bool add(const CrashFrame &Found);

private:
  void copyStack(uintptr_t From, uintptr_t To);

  std::array<CrashFrame, Most> Frames;
  size_t Count = 0;
  uintptr_t Begin = 0, End = 0;
  size_t Size = 0; ///< Of the copy, which begins with what was at Begin.
  char *Copy = nullptr;
};

} // namespace clinch
