// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What many texts begin with.

#pragma once

#include "clinch/Compiler/Options.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace clinch::engine {

/// Returns how many bytes of \p Text are whole lines of `#include`, with what
/// stands between them: comments, `#define`, `#undef`, and conditions that end
/// there too. 0 if something else comes first. The lines mean the same in a
/// file of their own in \p Text's folder.
size_t openingSize(const SourceText &Text);

/// A text whose first lines are empty, with those in its prefix.
struct OpenedText {
  SourceText Text;
  CompileOptions Options;
  std::string Key; ///< Of the opening, with the options.
};

/// Finds texts of one process that begin as others did before. What they begin
/// with is worth a prefix when it comes a third time.
class Openings {
public:
  /// \p Options is a key of all in \p O that a plan depends on.
  std::optional<OpenedText> find(const SourceText &Text,
                                 const CompileOptions &O,
                                 const std::string &Options);
  /// What begins so has no prefix from now on.
  void refuse(const std::string &Key);

private:
  std::mutex Lock;
  std::map<std::string, unsigned> Seen; ///< How often, by key.
  unsigned Prefixes = 0;
};

} // namespace clinch::engine
