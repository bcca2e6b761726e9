// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What objects call the functions here.

#pragma once

namespace clinch {

/// Stands before `exp` in the symbol that the engine calls and the linker of
/// compiled texts defines. No text can define a name with a dot.
inline constexpr const char *MathPrefix = "clinch.";

} // namespace clinch
