// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects changed headers.

#pragma once

#include "Engine.h"

#include <vector>

namespace clinch {

/// Returns whether every file has the content it had, and no missing file has
/// appeared. Compares contents, as a time stamp can be kept or lost in a copy.
bool areUnchanged(const std::vector<FileDependency> &Files);

} // namespace clinch
