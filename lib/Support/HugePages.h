//===- HugePages.h - Huge pages for large memory ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_HUGEPAGES_H
#define CLINCH_LIB_SUPPORT_HUGEPAGES_H

#include <cstddef>

namespace clinch {

/// Asks the kernel to use huge pages for memory that is about to be filled: one
/// page fault for 2 MB instead of 512. Does nothing for little memory, or if
/// the kernel has no huge pages.
void preferHugePages(const void *Begin, size_t Bytes);

/// Reserves space in a string or a vector, in huge pages if it is large.
template <typename Container> void reserveRoom(Container &C, size_t Count) {
  C.reserve(Count);
  preferHugePages(C.data(), C.capacity() * sizeof(*C.data()));
}

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_HUGEPAGES_H
