//===- Version.h - Whether a text has a version ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_VERSION_H
#define CLINCH_LIB_CONTRACT_VERSION_H

#include <string_view>

namespace clinch {

/// Returns whether the result of `c_code_cache_version` is a version: neither
/// an empty text nor Python's empty tuple.
inline bool isVersion(std::string_view Text) {
  return !Text.empty() && Text != "()";
}

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_VERSION_H
