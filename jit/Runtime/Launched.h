// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From CUDA's errors to one of Python.

#pragma once

#include "Program.h"

namespace clinch {

/// Assembled code in CUDA calls this after each hook's text. Returns whether
/// something went wrong with its launches or its memory that nobody asked for;
/// then an exception is set that says so, unless one is pending.
extern "C" int clinch_launch_failed() noexcept;

/// Of code in CUDA: lets it call clinch_launch_failed(), and says what its
/// kernels are compiled for.
void addLaunched(CompileOptions &Options, const ProgramOptions &O);

} // namespace clinch
