// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's cc1 arguments.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// A flag that is ours unless an author takes it away, and what it is then.
struct OwnFlag {
  const char *Flag, *Opposite;
};

/// What ISO C leaves undefined, and an optimiser would use against the author,
/// means the same in every tier. What each costs, and why strict aliasing
/// stays, says docs/reference/what-the-assembled-code-means.md.
constexpr OwnFlag OneMeaning[] = {
    {"-fno-delete-null-pointer-checks", "-fdelete-null-pointer-checks"},
    {"-fwrapv", "-fno-wrapv"},
    {"-fwrapv-pointer", "-fno-wrapv-pointer"},
    {"-fno-finite-loops", "-ffinite-loops"},
    {"-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init=uninitialized"}};

/// Returns the cc1 arguments for a language, as a driver at \p Program makes
/// them.
Expected<std::vector<std::string>>
driverArguments(const std::string &Program, Language Lang,
                const std::vector<std::string> &Flags,
                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
                std::vector<Diagnostic> &Warnings);

/// Parses cc1 arguments.
Expected<clang::CompilerInvocation>
parseArguments(const std::vector<std::string> &Arguments);

/// Fails for an unknown CPU, which Clang finds only during a compile.
Status checkTarget(const clang::TargetOptions &Target);

} // namespace clinch::engine
