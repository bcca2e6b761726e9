// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits on the text while it is read.

#pragma once

#include "clang/Frontend/CompilerInstance.h"

namespace clinch::engine {

class CompleteRegions;

/// Ends the text at the next token if statements nest too deeply: lookup
/// searches every open scope, so the time would be quadratic. Clang itself
/// counts brackets. Shows each token to \p Texts, if any.
void watchTokens(clang::CompilerInstance &CI, CompleteRegions *Texts);

/// Refuses `#pragma clang __debug`, which can crash, print or never return.
void refuseDebugPragmas(clang::CompilerInstance &CI);

/// Refuses NVIDIA's headers by name: what kernels need of them is there without
/// them, declared otherwise.
void refuseHeadersOfCUDA(clang::CompilerInstance &CI);

} // namespace clinch::engine
