// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which line crashed.

#pragma once

#include "LineTable.h"

#include <string>

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

} // namespace clinch
