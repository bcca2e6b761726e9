// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greatest alignments.

#pragma once

#include <cstddef>

namespace clinch {

/// The greatest alignment of code and its variables, and of a thunk's state:
/// structs of C may hold vectors of AVX-512.
inline constexpr size_t PageAlignment = 4096, StateAlignment = 64;

} // namespace clinch
