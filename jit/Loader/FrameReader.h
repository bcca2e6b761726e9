// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads unwind information.

#pragma once

#include <string_view>

namespace clinch {

/// Returns whether \p Section can be read: entries that end in a zero word,
/// with addresses of four or eight bytes.
bool areFramesWhole(std::string_view Section);

} // namespace clinch
