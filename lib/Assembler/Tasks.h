// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a number to a hook.

#pragma once

#include "Blueprint.h"

namespace clinch {

/// Returns one task for each block: those of run, then those of init.
std::vector<Task> makeTasks(const Blueprint &P);

} // namespace clinch
