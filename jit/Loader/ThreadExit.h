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

#include <memory>
#include <string_view>
#include <vector>

namespace clinch {

class LoadedCode;

/// What compiled code calls to have an object destroyed at the end of a thread;
/// null when \p Name is no such function.
void *findThreadExit(std::string_view Name);

/// \p Code is what the objects with \p DSOHandles belong to.
void keepForThreads(const std::vector<void *> &DSOHandles,
                    const std::shared_ptr<LoadedCode> &Code);
/// It is gone.
void forgetForThreads(const std::vector<void *> &DSOHandles);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_THREADEXIT_H
