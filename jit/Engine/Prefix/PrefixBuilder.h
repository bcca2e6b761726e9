//===- Prefix/PrefixBuilder.h - Precompiles headers -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_PREFIX_PREFIXBUILDER_H
#define CLINCH_JIT_ENGINE_PREFIX_PREFIXBUILDER_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>
#include <vector>

namespace clinch::engine {

/// Where an archive keeps what belongs to one language.
struct PrefixPaths {
  const char *Precompiled; ///< The precompiled header.
  const char *Arguments;   ///< Clang's own arguments, one a line.
  const char *Headers;     ///< The headers it is made of, one a line.
};
PrefixPaths prefixPaths(Language Lang);

/// Where it keeps which Python and NumPy the headers are of.
constexpr const char *PythonVersionPath = "/clinch/prefix/python";

/// Where it keeps which Clang made it, and that of this Clang. Another cannot
/// read what is precompiled.
constexpr const char *ClangVersionPath = "/clinch/prefix/clang";
std::string clangVersionText();

/// What stands before a text whose prefix is Prefix::Python.
std::string prefixText(Language Lang);

struct BuiltPrefix {
  std::string Precompiled;
  std::vector<std::string> Headers; ///< Every file that was read.
};

/// Precompiles \p Text.
Expected<BuiltPrefix>
buildPrefix(std::shared_ptr<clang::CompilerInvocation> Invocation,
            const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
            const std::string &Text);

/// Every file that \p Text includes; a header that is missing is left out.
std::vector<std::string>
headersOf(std::shared_ptr<clang::CompilerInvocation> Invocation,
          const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> &FS,
          const std::string &Text);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_PREFIX_PREFIXBUILDER_H
