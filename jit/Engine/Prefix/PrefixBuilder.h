// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiles headers.

#pragma once

#include "../Files/PrefixPaths.h"
#include "../Manifest.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch::engine {

/// Returns the version of this Clang as stored at ClangVersionPath.
std::string clangVersionText();

struct BuiltPrefix {
  std::string Precompiled;
  std::vector<std::string> Headers; ///< Every file that was read.
  /// Every name in it, one a line: no other macro changes what it means.
  std::string Names;
  bool HasWarnings = false;
};

/// Precompiles \p Text.
Expected<BuiltPrefix>
buildPrefix(std::shared_ptr<clang::CompilerInvocation> Invocation,
            const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
            ManifestRecorder &Recorder, const std::string &Text);

/// Returns every file that \p Text includes, except missing headers.
std::vector<std::string>
headersOf(std::shared_ptr<clang::CompilerInvocation> Invocation,
          const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
          const std::string &Text);

} // namespace clinch::engine
