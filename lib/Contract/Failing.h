// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `fail` stands for in a block.

#pragma once

#include <string>

namespace clinch {

/// "label_3": where block 3 jumps when it fails.
inline std::string failLabel(const std::string &Number) {
  return "label_" + Number;
}

/// "{failure = 3; goto label_3;}".
inline std::string failTo(const std::string &Number, const std::string &Label) {
  return "{failure = " + Number + "; goto " + Label + ";}";
}

} // namespace clinch
