// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which line crashed, and the functions around it.

#pragma once

#include "LineTable.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <ucontext.h>

namespace clinch {

/// The loaded code whose lines a signal handler can name. On a signal that ends
/// the process, inside such code or in what it called, the handler writes one
/// line to standard error; then whoever had the signal before gets it.
class CrashNotes {
public:
  /// Installs the handler. From now on code is compiled with line tables.
  static void enable();
  static bool enabled();

  /// Writes where the code is that \p Context, a `ucontext_t`, interrupted.
  /// Signal-safe.
  static void write(const char *What, void *Context);
  /// Whether an address is in the code of an author's text. Signal-safe.
  static bool knows(uintptr_t Address);
  struct Place {
    std::string Function, File;
    unsigned Line = 0;
  };
  static Place placeOf(uintptr_t Address);
  /// The last line that was written, or nothing if none was to be found then.
  static const char *last();

  /// Registers \p Lines, until it is destroyed.
  explicit CrashNotes(LineTable Lines);
  ~CrashNotes();
  CrashNotes(const CrashNotes &) = delete;
  CrashNotes &operator=(const CrashNotes &) = delete;

  struct Node;

private:
  Node *Own;
};

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
