// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What options mean for Clang and LLVM.

#pragma once

#include "../Files/EngineFileSystem.h"
#include "PrefixTraits.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// The optimisation pipelines.
enum class Passes {
  None,
  Quick,    ///< Only passes that shrink the code, which pays at once.
  Loopless, ///< A few more passes, for code without loops.
  Auto,     ///< Loopless if nothing loops, else O2.
  O1,
  O2,
  O3,
  Os,
  Oz
};

/// A prefix that was built at run time.
struct OwnPrefix {
  std::string Archive;
  Manifest Inputs; ///< What it was made of, without folders of the process.
  std::vector<Diagnostic> Warnings;
};

/// How to compile with one set of options, and the prefix before its texts.
/// Compiles with equal options share it.
struct Plan {
  clang::CompilerInvocation Invocation;
  /// For a GPU: the feature that CompileOptions::Device needs; else empty.
  std::string DeviceFeature;
  /// Of CompileOptions::Launches: how the first pass is done, for the device.
  std::shared_ptr<const Plan> FirstPass;
  Passes Optimise = Passes::Auto;
  llvm::CodeGenOptLevel CodeGen = llvm::CodeGenOptLevel::Default;
  bool MathErrno = false;                ///< Whether a flag asks for errno.
  std::optional<int> InlineLimit;        ///< That a flag names.
  bool VectorisesLoops = true;           ///< Whether no flag forbids it.
  bool DefinesMath = false;              ///< Whether nobody else does.
  bool EmulatesThreadLocals = true;      ///< As all that it is linked with.
  std::vector<Diagnostic> Warnings;      ///< About the flags themselves.
  std::vector<std::string> PrefixTraits; ///< See adaptPrefix().
  /// That the options give. The prefix must be made with those that it names.
  std::vector<Macro> Macros;
  bool PrefixHasProcessor =
      false; ///< Flags name one, and it is the text's own.
  /// The prefix is what the text began with, compiled as it would be there.
  bool PrefixIsOpening = false;
  /// That would have said something, or can tell in which file it stands.
  bool PrefixIsTold = false;
  FileSources Files; ///< What a compile sees.
  /// If it was built at run time; of the last plan or compile, it is freed.
  std::shared_ptr<const OwnPrefix> Own;
};

/// Makes plans without their prefixes.
class Planner {
public:
  /// \p PrefixFolders hold the prefix's headers. They are ignored if the
  /// headers are those of the build.
  Planner(const HeaderArchive &Baked, std::vector<std::string> PrefixFolders);

  Expected<std::shared_ptr<Plan>> plan(const CompileOptions &O) const;
  /// The same where the prefix of \p O is what the text began with.
  Expected<std::shared_ptr<Plan>> planOpened(const CompileOptions &O) const;
  /// Returns the invocation that precompiles the prefix of \p O for \p P, with
  /// \p Macros of it.
  Expected<clang::CompilerInvocation>
  prefixInvocation(const CompileOptions &O, const Plan &P,
                   const std::vector<Macro> &Macros) const;
  /// Returns the folders that the prefix of \p O is searched in first: the
  /// text's, but for the build's own prefix.
  std::vector<std::string> prefixIncludeDirs(const CompileOptions &O) const;
  /// Returns those that are not of the build.
  const std::vector<std::string> &prefixFolders() const {
    return PrefixFolders;
  }

private:
  Expected<std::shared_ptr<Plan>> devicePlan(const CompileOptions &O) const;
  Expected<clang::CompilerInvocation>
  bakedInvocation(const CompileOptions &O) const;
  Expected<clang::CompilerInvocation>
  invocationWithFlags(const CompileOptions &O,
                      const std::vector<std::string> &Flags,
                      const clang::CompilerInvocation &Base,
                      std::vector<Diagnostic> &Warnings) const;

  const HeaderArchive &Baked;
  std::vector<std::string> PrefixFolders;
};

std::string quoted(const std::vector<std::string> &Flags);

} // namespace clinch::engine
