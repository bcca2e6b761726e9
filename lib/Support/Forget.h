//===- Forget.h - Values that are never destroyed ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_FORGET_H
#define CLINCH_LIB_SUPPORT_FORGET_H

#include <new>
#include <utility>

namespace clinch {

/// Leaks \p Value: runs no destructor, and allocates nothing.
template <typename T> void forgetForGood(T &&Value) noexcept {
  alignas(T) unsigned char Place[sizeof(T)];
  new (Place) T(std::forward<T>(Value));
}

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_FORGET_H
