//===- Invocations.h - What options are in Clang's own ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_INVOCATIONS_H
#define CLINCH_JIT_ENGINE_OPTIONS_INVOCATIONS_H

#include "clinch/Compiler/Options.h"

#include "clang/Frontend/CompilerInvocation.h"

namespace clinch::engine {

/// What holds for every compile, whatever its flags are.
void setCommonOptions(clang::CompilerInvocation &I, const CompileOptions &O);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_INVOCATIONS_H
