// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenMP that the process has.
//
// A process has one OpenMP: two have threads each, which take the processors
// from one another, and answer one another's questions wrongly. It is the one
// that is loaded when it is first asked for; LLVM's if there is none, else
// GCC's, on which LLVM's functions stand then.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clinch::openmp {

/// Returns a function that code with OpenMP calls, or null if \p Name is none,
/// or the process's OpenMP has none of this name.
void *find(std::string_view Name);

/// Returns the file of the process's OpenMP, which is loaded if there is none;
/// empty if none is installed.
std::string file();

/// Returns the file of the process's OpenMP if the library \p Path is another
/// one and not loaded, else empty.
std::string rivalOf(const std::string &Path);

/// Returns why a function of OpenMP is missing if one of \p Names is one, as
/// sentences; else empty.
std::string whyMissing(const std::vector<std::string> &Names);

} // namespace clinch::openmp
