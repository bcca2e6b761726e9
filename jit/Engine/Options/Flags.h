// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of a command line.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// Returns O.Flags without O.ForbiddenFlags, each of which removes one, and
/// with the opposites of those that the tier would add by itself.
std::vector<std::string> effectiveFlags(const CompileOptions &O);

/// Before a number: up to which cost functions are inlined.
constexpr const char InlineLimitFlag[] = "-finline-limit=";

struct ReadFlags {
  /// As Clang's table of options spells them, the value in the same string
  /// where it may be.
  std::vector<std::string> Known;
  std::vector<std::string> Given;   ///< For Clang's driver, as written.
  std::vector<Diagnostic> Warnings; ///< About flags that are left out.
};

/// Reads \p Flags, which are Clang's or gcc's; see GccFlags.h. Refuses options
/// that print, write files, change the whole process, or choose a language, an
/// input or an output, by whatever name, and those that `-Wp,` and
/// `-Xpreprocessor` would pass on.
Expected<ReadFlags> readFlags(Language Lang,
                              const std::vector<std::string> &Flags);

/// Returns the last flag that begins with \p Prefix, or null if none does.
const std::string *lastFlag(const std::vector<std::string> &Flags,
                            std::string_view Prefix);

} // namespace clinch::engine
