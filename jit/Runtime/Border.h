// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where Python calls C++.
//
// Method tables and slots contain border<function> for each function that
// Python's C code calls: it turns std::bad_alloc into a MemoryError. Functions
// that allocate nothing, such as tp_traverse, need none.

#pragma once

#include <Python.h>

#include "lib/Support/OutOfMemory.h"

#include <new>
#include <type_traits>

namespace clinch {

template <auto F, typename Type = decltype(F)> struct Border;
template <auto F, typename R, typename... ArgTs>
struct Border<F, R (*)(ArgTs...)> {
  static R call(ArgTs... Args) {
    prepareToThrow();
    return callPrepared(Args...);
  }
  static R callPrepared(ArgTs... Args) {
    try {
      return F(Args...);
    } catch (const std::bad_alloc &) {
      PyErr_NoMemory();
    }
    if constexpr (std::is_pointer_v<R>)
      return nullptr;
    else
      return R(-1);
  }
};

/// Like \p F, but returns null or -1 with a MemoryError if memory runs out.
template <auto F> constexpr auto *border = &Border<F>::call;

/// For calls of functions, where each nanosecond counts: their slow paths call
/// prepareToThrow() themselves.
template <auto F> constexpr auto *quickBorder = &Border<F>::callPrepared;

/// For slots, which are all of one type.
template <auto F> void *slot() noexcept {
  return reinterpret_cast<void *>(border<F>);
}

} // namespace clinch
