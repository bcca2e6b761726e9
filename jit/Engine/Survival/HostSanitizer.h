//===- HostSanitizer.h - A sanitizer in the process -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A host may run under AddressSanitizer even if we were not built with it. Its
// run time then owns the heap, and libc's figures mean nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_SURVIVAL_HOSTSANITIZER_H
#define CLINCH_JIT_ENGINE_SURVIVAL_HOSTSANITIZER_H

#include <cstddef>

// NOLINTBEGIN(bugprone-reserved-identifier): the names are theirs.
/// Returns the allocated bytes. A null pointer without such a run time.
extern "C" __attribute__((weak)) size_t
__sanitizer_get_current_allocated_bytes();
// NOLINTEND(bugprone-reserved-identifier)

#endif // CLINCH_JIT_ENGINE_SURVIVAL_HOSTSANITIZER_H
