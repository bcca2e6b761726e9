// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack of one compile.

#pragma once

#include <cstddef>

namespace clinch::engine {

/// Blocks and statements may nest this deep; the stack holds four times as
/// many.
constexpr unsigned DeepestNesting = 20000;

/// The stack of one compile, and a small one for signal handlers, which can run
/// when the first has overflowed.
class CompileStack {
public:
  CompileStack();
  ~CompileStack();
  CompileStack(const CompileStack &) = delete;
  CompileStack &operator=(const CompileStack &) = delete;

  explicit operator bool() const { return Memory != nullptr; }
  void *bottom() const;
  static size_t size();
  void *handlerStack() const;
  static size_t handlerStackSize();
  /// Whether \p Address is in the guard pages below the stack.
  bool isBelow(const void *Address) const;

private:
  void *Memory = nullptr;
};

} // namespace clinch::engine
