// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emulated thread-local variables.
//
// libgcc's `__emutls_get_address` keeps a thread's copy of a variable until the
// thread ends. Ours frees it with the code that has the variable.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace clinch {

/// libgcc's `__emutls_object`. Clang makes one for each variable.
struct EmulatedVariable {
  size_t Size;
  size_t Alignment; ///< 0 for a native variable of a shared library.
  /// The variable's index in each thread, or 0 if none has used it. Of a native
  /// one: the number of its library, as `__tls_get_addr` takes it.
  size_t Index;
  char *Initial; ///< Or null, for zeros. Of a native one: its offset.
};

/// The name of the emulated variable, before the variable's own.
constexpr std::string_view EmulatedPrefix = "__emutls_v.";

/// Returns our `__emutls_get_address`, or null for another name.
void *findEmulatedAccess(std::string_view Name);

/// Frees the copies that threads have of \p Variables.
void freeThreadLocals(const std::vector<EmulatedVariable *> &Variables);

/// Returns the variable of a shared library that is at \p Address in this
/// thread, or null if none is. It lives as long as the process.
EmulatedVariable *variableOfLibrary(const void *Address);

} // namespace clinch
