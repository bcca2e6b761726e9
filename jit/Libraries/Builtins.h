//===- Builtins.h - What compiled code calls unseen -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LIBRARIES_BUILTINS_H
#define CLINCH_JIT_LIBRARIES_BUILTINS_H

#include <string_view>

namespace clinch {

/// A function or variable of compiler-rt or libatomic, by the name that code
/// from a compiler calls it by; they are linked in, for a process has few of
/// them. Null when there is none.
void *findBuiltin(std::string_view Name);

} // namespace clinch

#endif // CLINCH_JIT_LIBRARIES_BUILTINS_H
