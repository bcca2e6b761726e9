// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a device that print, synchronise and allocate.

#pragma once

#include <string>

namespace clinch::simulate {

class Block;

/// What runs on this thread of the process are the threads of \p B; null: none.
void enterBlock(Block *B);

/// Returns what printf() would print, given its arguments one behind another,
/// each at its alignment. \p Count gets the number of them.
std::string formatted(const char *Format, const char *Arguments,
                      unsigned &Count);

} // namespace clinch::simulate
