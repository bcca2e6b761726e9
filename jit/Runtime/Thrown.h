//===- Thrown.h - From a C++ exception to one of Python ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_THROWN_H
#define CLINCH_JIT_RUNTIME_THROWN_H

#include "clinch/Compiler/Options.h"

namespace clinch {

/// What assembled C++ calls in its handlers: sets the RuntimeError that says
/// what \p Hook threw, unless some exception of Python is pending.
extern "C" void clinch_thrown(const char *Hook) noexcept;

/// Gives it to the code, if that is C++.
void addThrown(CompileOptions &O);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_THROWN_H
