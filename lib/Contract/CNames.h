// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Valid names in C.

#pragma once

#include <string_view>

namespace clinch {

/// Letters of ASCII, digits and underscores, and no digit first.
bool isIdentifier(std::string_view Name);

/// Returns whether C (gnu23) or C++ (gnu++20) reserves the word. A name must be
/// valid in both, since its author does not choose the language alone.
bool isKeyword(std::string_view Name);

} // namespace clinch
