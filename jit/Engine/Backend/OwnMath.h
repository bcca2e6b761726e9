// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the functions of lib/Math.

#pragma once

#include "llvm/IR/Module.h"

namespace clinch::engine {

/// Makes calls and addresses of the mathematical functions that lib/Math has
/// name those, which LLVM does not know. So no tier computes another value.
///
/// They set no `errno`. If \p KeepsErrno, or if \p M looks at errno, libm's
/// function is called too where it would set it, for that alone. Otherwise
/// `sqrt` sets none either.
void callOwnFunctions(llvm::Module &M, bool KeepsErrno);

} // namespace clinch::engine
