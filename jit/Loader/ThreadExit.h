//===- ThreadExit.h - Destructors of thread-local objects -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread destroys its own `thread_local` objects when it ends. Code that made
// one stays until then, whoever lets go of it.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_THREADEXIT_H
#define CLINCH_JIT_LOADER_THREADEXIT_H

#include <string_view>

namespace clinch {

class LoadedCode;

/// What stands at the `__dso_handle` of an object, by which its code is found.
struct DSOHandle {
  const void *Mark; ///< Another in handles that are not ours.
  LoadedCode *Code;
};
DSOHandle makeHandle(LoadedCode &Code);

/// What compiled code calls to have an object destroyed at the end of a thread;
/// null when \p Name is no such function.
void *findThreadExit(std::string_view Name);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_THREADEXIT_H
