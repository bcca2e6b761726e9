//===- Invocations.h - Options as Clang's invocation ------------*- C++ -*-===//
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

/// Sets what holds for every compile, whatever its flags.
void setCommonOptions(clang::CompilerInvocation &I, const CompileOptions &O);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_INVOCATIONS_H
