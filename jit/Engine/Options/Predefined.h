// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's predefined macros.

#pragma once

#include "clang/Frontend/CompilerInvocation.h"

namespace clinch::engine {

/// Defines or undefines in \p I the predefined macros, such as `__AVX2__` and
/// `_OPENMP`, in which it differs from \p OfPrefix.
void definePredefined(clang::CompilerInvocation &I,
                      const clang::CompilerInvocation &OfPrefix);

} // namespace clinch::engine
