// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine does when its host forks.
//
// The engine registers no fork handlers itself. It is loaded under a lock that
// every fork waits for, and registering may wait for a fork: a deadlock.
// Whoever loads the engine calls this instead.

#pragma once

namespace clinch {

enum class ForkStep { Before, InParent, InChild };

/// Restores the host's signal handlers in the child. Returns true there if the
/// parent was compiling in another thread: LLVM's locks may stay locked, and
/// the child compiles elsewhere.
using EngineAtForkFn = bool (*)(ForkStep Step);
constexpr const char *EngineAtForkSymbol = "clinch_engine_at_fork";

namespace engine {
/// Does the part of EngineAtForkFn that concerns signal handlers.
bool guardAtFork(ForkStep Step);
} // namespace engine

} // namespace clinch
