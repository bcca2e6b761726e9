//===- InitCode.h - A module's c_init_code, run once ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_INITCODE_H
#define CLINCH_JIT_RUNTIME_INITCODE_H

#include "clinch/Compiler/Session.h"

namespace clinch {

/// Runs the c_init_code of \p Code, unless it has run since the code was loaded
/// (the code itself knows). Waits for a thread that is running it. If it fails,
/// the next caller tries again. Needs the GIL.
Status initializeModule(const Module &Code);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_INITCODE_H
