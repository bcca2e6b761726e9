//===- Failing.h - What `fail` stands for in a block -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_FAILING_H
#define CLINCH_LIB_CONTRACT_FAILING_H

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

#endif // CLINCH_LIB_CONTRACT_FAILING_H
