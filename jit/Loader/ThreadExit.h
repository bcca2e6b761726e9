// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructors of thread-local objects.
//
// A thread destroys its own `thread_local` objects when it ends. The code that
// created one stays loaded until then, even if its last user released it.

#pragma once

#include <string_view>

namespace clinch {

struct LoadedCode;

/// The contents of an object's `__dso_handle`, which lead to its code.
struct DSOHandle {
  const void *Mark; ///< Differs in handles that are not ours.
  LoadedCode *Code;
};
DSOHandle makeHandle(LoadedCode &Code);

/// Returns our replacement for `__cxa_thread_atexit`, or null if \p Name is
/// another function.
void *findThreadExit(std::string_view Name);

} // namespace clinch
