// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in parts.

#pragma once

#include "Array.h"

namespace clinch::arrays {

/// The fewest items that a thread computes before it asks for more.
constexpr Py_ssize_t TaskItems = 16384;

/// Whether \p L may use threads for so many items.
inline bool hasThreads(const clinch_loop &L, Py_ssize_t Items) {
  return L.parallel && Items >= 2 * TaskItems;
}

/// Calls Task(Context, 0) to Task(Context, Count - 1) on the threads that \p L
/// asks for. If that is as many as there are, the first call's time tells
/// whether they gain any.
void runTasks(const clinch_loop &L, Py_ssize_t Count,
              void (*Task)(void *Context, Py_ssize_t Number), void *Context);

} // namespace clinch::arrays
