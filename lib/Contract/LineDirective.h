//===- LineDirective.h - #line, with any name ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_LINEDIRECTIVE_H
#define CLINCH_LIB_CONTRACT_LINEDIRECTIVE_H

#include "lib/Support/Text.h"

#include <string>

namespace clinch {

/// Makes messages name \p Line of \p Name from here on.
inline std::string lineDirective(unsigned Line, const std::string &Name) {
  return "#line " + std::to_string(Line) + " \"" + escaped(Name) + "\"\n";
}

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_LINEDIRECTIVE_H
