//===- ForkHandlers.cpp - Registers the fork handlers at load -------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only in libclinch-compiler.so, whose locks all other libraries share.
//
//===----------------------------------------------------------------------===//

#include "lib/Support/Forks.h"

namespace {
[[maybe_unused]] const bool Followed = (clinch::followForks(), true);
} // namespace
