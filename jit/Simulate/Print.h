//===- Print.h - printf of a device -----------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_SIMULATE_PRINT_H
#define CLINCH_JIT_SIMULATE_PRINT_H

#include <string>

namespace clinch::simulate {

/// Returns what printf() would print, given its arguments one behind another,
/// each at its alignment. \p Count gets the number of them.
std::string formatted(const char *Format, const char *Arguments,
                      unsigned &Count);

} // namespace clinch::simulate

#endif // CLINCH_JIT_SIMULATE_PRINT_H
