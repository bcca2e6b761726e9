// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions of a prefix's headers.
//
// Needs no LLVM, since the cache key uses it too.

#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace clinch::engine {

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
