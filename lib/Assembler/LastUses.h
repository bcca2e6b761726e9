// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where temporaries are used last.

#pragma once

#include "Blueprint.h"
#include "Layout.h"

#include <unordered_map>

namespace clinch {

/// Maps the number of a code block to the temporaries that can be released
/// after it. Empty without AssembleOptions::ReleaseEarly. They are cleaned up
/// and initialised again, so that their own blocks may clean them up as always.
using LastUses = std::unordered_map<unsigned, std::vector<const Block *>>;

LastUses findLastUses(const Blueprint &P, const Layout &L);

} // namespace clinch
