// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a text has a version.

#pragma once

#include <string_view>

namespace clinch {

/// Returns whether the result of `c_code_cache_version` is a version: neither
/// an empty text nor Python's empty tuple.
inline bool isVersion(std::string_view Text) {
  return !Text.empty() && Text != "()";
}

} // namespace clinch
