//===- Interpreter.h - Python inside the driver -----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_TOOLS_INTERPRETER_H
#define CLINCH_TOOLS_INTERPRETER_H

#include <string>
#include <vector>

namespace clinch {

/// Starts Python, finds the package `clinch` beside this program and calls
/// `clinch.prompt.main(Arguments)`. Returns the exit status. Reports a missing
/// Python or package on standard error.
int runDriver(const std::vector<std::string> &Arguments);

} // namespace clinch

#endif // CLINCH_TOOLS_INTERPRETER_H
