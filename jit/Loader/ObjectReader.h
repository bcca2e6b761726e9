// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks an object and lists its symbols.
//
// JITLink trusts the objects it is given, but foreign bytes (a pickle) may be
// damaged. What it relies on is checked here first.

#pragma once

#include "clinch/Compiler/Session.h"
#include "clinch/Support/Expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// A symbol that an object uses and does not define.
struct Import {
  std::string_view Name; ///< Points into the object; a NUL follows it.
  bool IsWeak = false;
  bool IsThreadLocal = false; ///< A native one.
  void *Address = nullptr;
};

struct ObjectSummary {
  std::string_view File; ///< What it was compiled from, if it says so.
  std::vector<Import> Imports;
  std::vector<std::string_view> Definitions; ///< Visible to other objects.
  /// Names of the globals and statics that the code can change, sorted.
  std::vector<std::string> Variables;
  std::vector<Module::Function> Functions; ///< In FunctionsSection.
  std::string Types;                       ///< The second part of it.
  /// Thread-local variables that a program would have once, in whatever texts
  /// they are defined (`inline`, templates' statics); as in the source.
  std::vector<std::string> SharedThreadLocals;
  bool HasInitializers = false; ///< Some function must run first.
  bool HasThreadLocals = false; ///< Native ones; see ThreadLocals.h.
  size_t ThreadLocalBytes = 0;  ///< At most, with what aligns them.
};

/// Returns the summary of a relocatable ELF file for x86-64, or an error if it
/// cannot be linked.
Expected<ObjectSummary> readObject(std::string_view Bytes);

} // namespace clinch
