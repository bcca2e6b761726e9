// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers the fork handlers at load.
//
// Only in libclinch-compiler.so, whose locks all other libraries share.

#include "lib/Support/Forks.h"

namespace {
[[maybe_unused]] const bool Followed = (clinch::followForks(), true);
} // namespace
