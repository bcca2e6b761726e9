// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that run when a thread, the process or loaded code ends.
//
// A thread destroys its own `thread_local` objects when it ends. The code that
// created one stays loaded until then, even if its last user released it.
// Global objects of all objects of a link are destroyed in the reverse order of
// their construction, as they are registered for the code as a whole.

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

/// Returns our replacement for `__cxa_atexit` or `__cxa_thread_atexit`, or null
/// for another name.
void *findRegistration(std::string_view Name);

/// Returns what implements `atexit`, `at_quick_exit` or `pthread_atfork`, or
/// null for another name. The C library has these in an archive only, as they
/// register the function for their caller: here the code that calls them is the
/// fourth argument.
void *findExitFunction(std::string_view Name);

} // namespace clinch
