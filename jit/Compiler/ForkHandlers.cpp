//===- ForkHandlers.cpp - Forks are followed from the start ---------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of libclinch-compiler.so alone, whose locks everybody shares.
//
//===----------------------------------------------------------------------===//

#include "lib/Support/Forks.h"

namespace {
[[maybe_unused]] const bool Followed = (clinch::followForks(), true);
} // namespace
