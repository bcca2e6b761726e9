// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python inside the driver.

#pragma once

#include <string>
#include <vector>

namespace clinch {

/// Starts Python, finds the package `clinch` beside this program and calls
/// `clinch.cli.main(Arguments)`. Returns the exit status. Reports a missing
/// Python or package on standard error.
int runDriver(const std::vector<std::string> &Arguments);

} // namespace clinch
