// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed bytes on disk.

#pragma once

#include <string>
#include <string_view>

namespace clinch::engine {

/// Returns \p Bytes, compressed if LLVM was built with Zstandard.
std::string packed(std::string_view Bytes);

/// Returns what was packed, or nothing if \p Packed is damaged.
std::string unpacked(std::string_view Packed);

} // namespace clinch::engine
