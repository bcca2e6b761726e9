//===- Mathematics.h - The mathematical functions of texts ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_MATH_MATHEMATICS_H
#define CLINCH_LIB_MATH_MATHEMATICS_H

#include <string_view>

namespace clinch {

/// Returns the function of lib/Math that objects call \p Name, such as
/// `clinch.expf`, for this processor, or null.
void *findMathematics(std::string_view Name);

} // namespace clinch

#endif // CLINCH_LIB_MATH_MATHEMATICS_H
