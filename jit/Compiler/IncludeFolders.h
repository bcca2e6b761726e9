// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of headers by their contents.
//
// Programs that print C put headers into temporary folders: the same compile
// names another folder in each run. Here each folder is a number.

#pragma once

#include "clinch/Compiler/Options.h"
#include "jit/Engine/Engine.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// The absolute folders that a compile looks for headers in, but those of the
/// system. One that is below another counts as a part of it.
class IncludeFolders {
public:
  explicit IncludeFolders(const CompileOptions &O);

  bool empty() const { return Roots.empty(); }

  /// Returns the options with numbers for folders, and without what only the
  /// linker looks for.
  CompileOptions numbered(CompileOptions O) const;

  /// Returns the files with numbers for folders; nothing if one of them may
  /// have been reached from a folder and is not in it.
  std::optional<std::vector<FileDependency>>
  numbered(const std::vector<FileDependency> &Files) const;

  /// Undoes numbered().
  std::vector<FileDependency> placed(std::vector<FileDependency> Files) const;

  /// Returns whether what \p Text was compiled to may tell where the folders
  /// are.
  bool areToldBy(const SourceText &Text, const EngineResult &R) const;

private:
  std::string numbered(const std::string &Path) const;

  std::vector<std::string> Roots; ///< None is below another.
};

} // namespace clinch
