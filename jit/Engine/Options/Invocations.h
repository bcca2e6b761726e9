// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options as Clang's invocation.

#pragma once

#include "clinch/Compiler/Options.h"

#include "clang/Frontend/CompilerInvocation.h"

namespace clinch::engine {

/// Sets what holds for every compile, whatever its flags.
void setCommonOptions(clang::CompilerInvocation &I, const CompileOptions &O);

} // namespace clinch::engine
