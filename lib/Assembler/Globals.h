// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Globals of the module, and which hook gave a flag or a library.

#pragma once

#include "clinch/Graph/Graph.h"

namespace clinch {

/// Returns \p E with a diagnostic for each hook of \p G that gave the flag,
/// flag value or library it is about. An InvalidArgument then becomes a Compile
/// error.
Error addFlagOrigins(Error E, const Graph &G);

} // namespace clinch
