//===- Calls.h - Whose calls simulated code makes ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_SIMULATE_CALLS_H
#define CLINCH_JIT_SIMULATE_CALLS_H

namespace clinch::simulate {

class Block;

/// What runs on this thread of the process are the threads of \p B; null: none.
void enterBlock(Block *B);

} // namespace clinch::simulate

#endif // CLINCH_JIT_SIMULATE_CALLS_H
