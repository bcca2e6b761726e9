// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that compilers call implicitly.

#pragma once

#include <string_view>

namespace clinch {

/// Returns a function or variable of compiler-rt or libatomic, or null if there
/// is none of this name. They are linked in, as a process has few of them.
void *findBuiltin(std::string_view Name);

} // namespace clinch
