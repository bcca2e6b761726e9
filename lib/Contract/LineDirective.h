// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// #line, with any name.

#pragma once

#include "lib/Support/Text.h"

#include <string>

namespace clinch {

/// Makes messages name \p Line of \p Name from here on.
inline std::string lineDirective(unsigned Line, const std::string &Name) {
  return "#line " + std::to_string(Line) + " \"" + escaped(Name) + "\"\n";
}

} // namespace clinch
