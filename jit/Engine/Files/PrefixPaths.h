// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an archive keeps the prefix.

#pragma once

#include "clinch/Compiler/Options.h"

#include <string_view>

namespace clinch::engine {

/// Where an archive keeps the prefix of one language.
struct PrefixPaths {
  const char *Precompiled; ///< The precompiled header.
  const char *Arguments;   ///< The cc1 arguments, one a line.
  const char *Names;       ///< See BuiltPrefix.
};
inline PrefixPaths prefixPaths(Language Lang) {
  if (Lang == Language::C)
    return {"/clinch/prefix/c.pch", "/clinch/prefix/c.args",
            "/clinch/prefix/c.names"};
  return {"/clinch/prefix/cxx.pch", "/clinch/prefix/cxx.args",
          "/clinch/prefix/cxx.names"};
}

/// The name of what stands before a text, where it is built and in places.
constexpr const char *PrefixInputName = "clinch-prefix.h";

/// The text that is precompiled.
constexpr const char *PrefixTextPath = "/clinch/prefix/text";

/// Its prefixVersion().
constexpr const char *PrefixVersionPath = "/clinch/prefix/version";

/// The version of the Clang that wrote the prefix; no other can read it.
constexpr const char *ClangVersionPath = "/clinch/prefix/clang";

/// Names that begin so are in no list of names.
constexpr std::string_view OfCompilers = "__builtin_";

} // namespace clinch::engine
