//===- SymbolNames.h - What objects call the functions here -----*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_MATH_SYMBOLNAMES_H
#define CLINCH_LIB_MATH_SYMBOLNAMES_H

namespace clinch {

/// Stands before `exp` in the symbol that the engine calls and the linker of
/// compiled texts defines. No text can define a name with a dot.
inline constexpr const char *MathPrefix = "clinch.";

} // namespace clinch

#endif // CLINCH_LIB_MATH_SYMBOLNAMES_H
