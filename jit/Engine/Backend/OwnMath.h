//===- OwnMath.h - Calls of the functions of lib/Math -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_OWNMATH_H
#define CLINCH_JIT_ENGINE_BACKEND_OWNMATH_H

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

#endif // CLINCH_JIT_ENGINE_BACKEND_OWNMATH_H
