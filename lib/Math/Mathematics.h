// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mathematical functions of texts.

#pragma once

#include <string_view>

namespace clinch {

/// Returns the function of lib/Math that objects call \p Name, such as
/// `clinch.expf`, for this processor, or null.
void *findMathematics(std::string_view Name);

} // namespace clinch
