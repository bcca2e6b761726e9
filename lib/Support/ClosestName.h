//===- ClosestName.h - What a misspelt name may mean -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_CLOSESTNAME_H
#define CLINCH_LIB_SUPPORT_CLOSESTNAME_H

#include <string_view>
#include <vector>

namespace clinch {

/// Returns the one of \p Names that \p Name is most likely meant to be, or "".
std::string_view closestName(std::string_view Name,
                             const std::vector<std::string_view> &Names);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_CLOSESTNAME_H
