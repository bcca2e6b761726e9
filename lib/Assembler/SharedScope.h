// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cleanups see what code declares.

#pragma once

#include "Blueprint.h"

namespace clinch {

/// Returns, by number - 1, whether the cleanup of a block stands in the braces
/// of its code, and so sees what that declares.
///
/// In C that holds for every apply's. In C++ a jump past an initialiser is an
/// error, and what a `try` declares is gone in its handler, where the cleanup
/// could then not run. So it holds only for a cleanup that seems to need it: it
/// names what the code declares, or a macro of an author's is in the way of
/// knowing. Where both arrangements compile and nothing throws, both mean the
/// same.
std::vector<bool> findSharedScopes(const Blueprint &P);

} // namespace clinch
