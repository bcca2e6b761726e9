// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a C++ exception to one of Python.

#pragma once

#include "clinch/Compiler/Options.h"

#include <limits>

namespace clinch {

/// Assembled C++ calls this in its handlers. Sets a RuntimeError that says what
/// \p Hook threw, unless a Python exception is pending.
extern "C" void clinch_thrown(const char *Hook) noexcept;

/// Where an `assert` is false: sets an AssertionError, unless a Python
/// exception is pending.
extern "C" void clinch_assertion(const char *What, const char *File,
                                 unsigned Line, const char *Function) noexcept;

/// The same outside C's blocks, and throws AssertionFailed.
extern "C" [[noreturn]] void clinch_asserted(const char *What, const char *File,
                                             unsigned Line,
                                             const char *Function);
struct AssertionFailed {};

/// What callCode() returns if a false `assert` in a function of C ended the
/// call: an exception is set, but the blocks have cleaned up nothing, and the
/// state must not be used again.
constexpr int Abandoned = std::numeric_limits<int>::min();

/// Calls \p Code, which calls compiled code.
template <typename Fn> int callCode(const Fn &Code) {
  try {
    return Code();
  } catch (const AssertionFailed &) {
    return Abandoned;
  }
}

/// Lets the code call these functions.
void addThrown(CompileOptions &O);

} // namespace clinch
