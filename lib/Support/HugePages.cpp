//===- HugePages.cpp - Huge pages for large memory ------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Support/HugePages.h"

#include <cstdint>
#include <sys/mman.h>

void clinch::preferHugePages(const void *Begin, size_t Bytes) {
  constexpr uintptr_t Huge = uintptr_t(2) << 20;
  // Only huge pages that lie completely within the memory.
  uintptr_t From = (reinterpret_cast<uintptr_t>(Begin) + Huge - 1) & -Huge;
  uintptr_t To = (reinterpret_cast<uintptr_t>(Begin) + Bytes) & -Huge;
  if (From < To)
    (void)madvise(reinterpret_cast<void *>(From), To - From, MADV_HUGEPAGE);
}
