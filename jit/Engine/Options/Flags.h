// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags of the driver, and the arguments they become.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

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
