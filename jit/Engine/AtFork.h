//===- AtFork.h - What the engine does when its host forks ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine registers no handlers of its own: it is loaded while a lock is
// held that every fork waits for, and registering may wait for the fork. Who
// loads it calls this.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_ATFORK_H
#define CLINCH_JIT_ENGINE_ATFORK_H

namespace clinch {

enum class ForkStep { Before, InParent, InChild };

/// In the child: whether a compile was on its way, in a thread that is not
/// there. LLVM's own locks may be shut then, and whoever compiles needs an
/// engine that is loaded anew. The signal handlers of the host are in place
/// again.
using EngineAtForkFn = bool (*)(ForkStep Step);
constexpr const char *EngineAtForkSymbol = "clinch_engine_at_fork";

namespace engine {
/// The same for the handlers of signals alone.
bool guardAtFork(ForkStep Step);
} // namespace engine

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_ATFORK_H
