// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What few lanes of a vector need.
//
// Vectors compute both of what a function of lib/Math selects from: sines of
// huge numbers, too, which are made of numbers gathered from a table. After
// vectorisation this is put behind a branch that is taken if any lane needs it.
// What is computed stays as it is: the selects, too.

#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace clinch::engine {

/// Adds the pass behind the vectorisers.
void addRareLanes(llvm::PassBuilder &Builder);

} // namespace clinch::engine
