// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The paths and the version of what texts begin with.

#pragma once

#include "clinch/Compiler/Options.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

// Needs no LLVM, since the cache key uses it too.

/// Returns the headers that a line `#include <...>` of \p Prefix names, each
/// from the first of \p Folders that has it.
inline std::string prefixVersion(const std::string &Prefix,
                                 const std::vector<std::string> &Folders) {
  constexpr std::string_view Include = "#include <";
  std::istringstream Lines(Prefix);
  std::string Result;
  for (std::string Line; std::getline(Lines, Line);) {
    if (!Line.starts_with(Include) || Line.back() != '>')
      continue;
    Line = Line.substr(Include.size(), Line.size() - Include.size() - 1);
    for (const std::string &Folder : Folders) {
      std::ifstream In(std::filesystem::path(Folder) / Line, std::ios::binary);
      if (!In)
        continue;
      std::ostringstream Text;
      Text << In.rdbuf();
      Result += Text.str() + '\n';
      break;
    }
  }
  return Result;
}

} // namespace clinch::engine
