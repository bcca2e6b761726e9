//===- Graphs.h - The graphs that are measured -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_BENCHMARKS_ASSEMBLER_GRAPHS_H
#define CLINCH_BENCHMARKS_ASSEMBLER_GRAPHS_H

#include "lib/Assembler/Assembler.h"

namespace bench {

/// (x + y) * z on Python floats.
clinch::Graph sumTimes();

/// x + y + y + ... on Python floats: \p Applies additions.
clinch::Graph scalarChain(unsigned Applies);

/// The same on Python objects: every variable's cleanup releases one, and
/// every apply's cleanup another.
clinch::Graph objectChain(unsigned Applies);

} // namespace bench

#endif // CLINCH_BENCHMARKS_ASSEMBLER_GRAPHS_H
