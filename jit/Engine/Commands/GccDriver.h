//===- GccDriver.h - The commands cc and c++ ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_COMMANDS_GCCDRIVER_H
#define CLINCH_JIT_ENGINE_COMMANDS_GCCDRIVER_H

#include "Commands.h"

#include "llvm/ADT/ArrayRef.h"

namespace clinch::engine {

/// Runs Clang's driver and all of its jobs in this process. The first argument
/// is `cc` or `c++`. Returns the exit status.
int runGccDriver(llvm::ArrayRef<const char *> Arguments,
                 const ObjectStore &Store);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_COMMANDS_GCCDRIVER_H
