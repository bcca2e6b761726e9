// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which storage may be reused.

#pragma once

#include "clinch/Graph/Graph.h"

namespace clinch {

/// Returns the variables that share memory with others by some Op's view_map or
/// destroy_map. The next run must not reuse their storage: it may be a caller's
/// array, or part of a result that a caller still has.
std::vector<const Variable *> aliasedVariables(const Graph &G);

/// Returns for each input whether some Op works in place on it.
std::vector<bool> destroyedInputs(const Graph &G);

/// Returns for each output whether it is, or may share the memory of, an input
/// that no Op works in place on, a constant, or an earlier output. Numbers on
/// the stack share nothing.
std::vector<bool> sharedOutputs(const Graph &G);

/// Returns for each output whether the next run may write to its storage: not
/// if it is an input, constant, simple or among \p NotThese.
std::vector<bool>
recycledOutputs(const Graph &G, const std::vector<const Variable *> &NotThese);

} // namespace clinch
