// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads unwind information.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace clinch {

/// The description of a function's frame, in an .eh_frame section.
using Frame = const char *;

/// Returns whether \p Section can be read: entries that end in a zero word,
/// with addresses of four or eight bytes. The functions below take no other.
bool areFramesWhole(std::string_view Section);

/// Returns the frames of functions in \p Section; not those of functions that
/// the linker left out.
std::vector<Frame> framesIn(std::string_view Section);

/// Returns where the function of \p F begins.
uintptr_t functionOf(Frame F);

} // namespace clinch
