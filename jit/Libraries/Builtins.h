//===- Builtins.h - Functions that compilers call implicitly ----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LIBRARIES_BUILTINS_H
#define CLINCH_JIT_LIBRARIES_BUILTINS_H

#include <string_view>

namespace clinch {

/// Returns a function or variable of compiler-rt or libatomic, or null if there
/// is none of this name. They are linked in, as a process has few of them.
void *findBuiltin(std::string_view Name);

} // namespace clinch

#endif // CLINCH_JIT_LIBRARIES_BUILTINS_H
