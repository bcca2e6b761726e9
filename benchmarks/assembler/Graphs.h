// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs that are measured.

#pragma once

#include "lib/Assembler/Assembler.h"

namespace bench {

/// (x + y) * z on Python floats.
clinch::Graph sumTimes();

/// x + y + y + ... on Python floats: \p Applies additions.
clinch::Graph scalarChain(unsigned Applies);

/// The same on Python objects: every variable's cleanup releases one, and
/// every apply's cleanup another.
clinch::Graph objectChain(unsigned Applies);

} // namespace bench
