// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf of a device.

#pragma once

#include <string>

namespace clinch::simulate {

/// Returns what printf() would print, given its arguments one behind another,
/// each at its alignment. \p Count gets the number of them.
std::string formatted(const char *Format, const char *Arguments,
                      unsigned &Count);

} // namespace clinch::simulate
