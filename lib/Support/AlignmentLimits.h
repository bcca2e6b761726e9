//===- AlignmentLimits.h - Greatest alignments ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_ALIGNMENTLIMITS_H
#define CLINCH_LIB_SUPPORT_ALIGNMENTLIMITS_H

#include <cstddef>

namespace clinch {

/// The greatest alignment of code and its variables, and of a thunk's state:
/// structs of C may hold vectors of AVX-512.
inline constexpr size_t PageAlignment = 4096, StateAlignment = 64;

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_ALIGNMENTLIMITS_H
