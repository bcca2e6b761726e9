// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that differ in comments alone.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clinch {

/// Returns \p Text, which is C or C++, with spaces for what its comments say:
/// every token stays at its line and column. Nothing if there are no comments,
/// or if where they end would take a compiler to tell.
std::optional<std::string> withoutComments(std::string_view Text);

} // namespace clinch
