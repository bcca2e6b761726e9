//===- HugePages.h - Large memory in large pages ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_HUGEPAGES_H
#define CLINCH_LIB_SUPPORT_HUGEPAGES_H

#include <cstddef>

namespace clinch {

/// Asks the kernel to back memory that is about to be filled with huge pages:
/// one page fault for 2 MB in place of 512. Little memory is left as it is, and
/// so is all where the kernel has none to give.
void preferHugePages(const void *Begin, size_t Bytes);

/// Reserves room in a string or a vector, in huge pages when that is much.
template <typename Container> void reserveRoom(Container &C, size_t Count) {
  C.reserve(Count);
  preferHugePages(C.data(), C.capacity() * sizeof(*C.data()));
}

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_HUGEPAGES_H
