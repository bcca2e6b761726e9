//===- FlagOrigins.h - Which hook gave a flag or a library -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_FLAGORIGINS_H
#define CLINCH_LIB_ASSEMBLER_FLAGORIGINS_H

#include "clinch/Graph/Graph.h"

namespace clinch {

/// Returns \p E with a diagnostic for each hook of \p G that gave the flag,
/// flag value or library it is about. An InvalidArgument then becomes a Compile
/// error.
Error addFlagOrigins(Error E, const Graph &G);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_FLAGORIGINS_H
