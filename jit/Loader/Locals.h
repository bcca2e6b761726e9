// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a frame.

#pragma once

#include "CrashFrames.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// A variable or parameter: in memory, in registers, or nowhere.
struct Local {
  std::string File, Name;
  unsigned Line = 0; ///< Of its declaration.
  uintptr_t Address = 0;
  std::string Bytes; ///< Without an address: its value, if it has one.
};

/// A function that was called, which the code may have inlined.
struct LocalScope {
  std::string Function, File;
  unsigned Line = 0, Column = 0;
  std::vector<Local> Variables;
};

/// Returns the functions that \p Frame is in, the innermost first; none if it
/// is in other code. \p Object is that code, compiled anew with debug
/// information, which is checked; \p Find returns where a function of it is
/// loaded, or null.
std::vector<LocalScope>
localsOf(std::string_view Object, const CrashFrame &Frame,
         const std::function<const char *(const std::string &)> &Find);

} // namespace clinch
