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

/// Assembled C++ calls this in its handlers. Sets a RuntimeError that says what
/// \p Hook threw, unless a Python exception is pending.
extern "C" void clinch_thrown(const char *Hook) noexcept;

/// Lets the code call clinch_thrown() if it is C++.
void addThrown(CompileOptions &O);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_THROWN_H
