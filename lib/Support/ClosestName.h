// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a misspelt name may mean.

#pragma once

#include <string_view>
#include <vector>

namespace clinch {

/// Returns the one of \p Names that \p Name is most likely meant to be, or "".
std::string_view closestName(std::string_view Name,
                             const std::vector<std::string_view> &Names);

} // namespace clinch
