// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiles the prefix of a build.
//
// For the program clinch-bake of the build. Needs no header of LLVM.

#pragma once

#include "clinch/Support/Expected.h"

#include <string>
#include <vector>

namespace clinch::engine {

struct BakeRequest {
  std::string Prefix; ///< See CompileOptions.
  /// What a text may include beside the standard headers, after the prefix.
  std::vector<const char *> Headers;
  std::vector<std::string> Folders; ///< Of the prefix's headers.
  /// Clinch's own headers, which stand beside Clang's: a path in `OwnFolder` is
  /// what a text includes.
  std::vector<const char *> Own;
  std::string OwnFolder;
  std::string Clang; ///< The path of Clang's driver, which need not exist.
};

/// Returns an archive with the precompiled prefix of each language, Clang's
/// arguments for it, and every header that the prefix, the standard headers and
/// the others include.
Expected<std::string> bakeArchive(const BakeRequest &R);

} // namespace clinch::engine
