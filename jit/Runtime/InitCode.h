// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's c_init_code, run once.

#pragma once

#include "clinch/Compiler/Session.h"

namespace clinch {

/// Runs the c_init_code of \p Code, unless it has run since the code was loaded
/// (the code itself knows). Waits for a thread that is running it. If it fails,
/// the next caller tries again. Needs the GIL.
Status initializeModule(const Module &Code);

} // namespace clinch
