// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLD in this process.

#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace clinch::engine {

/// Returns the folder of the C library's headers and files to link with that a
/// wheel has beside the engine.
std::string carriedSysroot();

/// Runs LLD; the first argument is the command's name. What a compiler's
/// packages have beside the C library's (crtbegin.o, libgcc, the link to
/// libstdc++.so) is replaced where it is missing. Returns the exit status.
int link(llvm::ArrayRef<const char *> Arguments);

} // namespace clinch::engine
