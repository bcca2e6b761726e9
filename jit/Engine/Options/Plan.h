//===- Plan.h - What options mean for Clang and LLVM -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_PLAN_H
#define CLINCH_JIT_ENGINE_OPTIONS_PLAN_H

#include "../Files/HeaderArchive.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clinch::engine {

/// What the optimiser does.
enum class Passes {
  None,
  Quick,    ///< What makes less code of it, and so pays at once.
  Loopless, ///< A handful of passes more, for code without loops.
  Auto,     ///< Loopless where nothing loops, else O2.
  O1,
  O2,
  O3,
  Os,
  Oz
};

/// How one set of options is compiled. Shared by all compiles that have it.
struct Plan {
  clang::CompilerInvocation Invocation;
  Passes Optimise = Passes::Auto;
  llvm::CodeGenOptLevel CodeGen = llvm::CodeGenOptLevel::Default;
  bool VectorMath = false;          ///< As the tier max has it.
  std::vector<Diagnostic> Warnings; ///< About the flags themselves.
  /// See prefixFlags().
  std::vector<std::string> PrefixFlags;
};

/// Makes plans and keeps them: the driver's part costs a millisecond.
class Planner {
public:
  /// \p PythonFolders are where Python's and NumPy's headers are, when these
  /// are not those of the build.
  Planner(const HeaderArchive &Baked, std::vector<std::string> PythonFolders);

  Expected<std::shared_ptr<const Plan>> plan(const CompileOptions &O);
  /// For precompiling headers with \p Flags.
  Expected<clang::CompilerInvocation>
  prefixInvocation(Language Lang, const std::vector<std::string> &Flags) const;
  /// The folders of the baked search path, less those of Python.
  std::vector<std::string> systemFolders() const;
  const std::vector<std::string> &pythonFolders() const {
    return PythonFolders;
  }

private:
  Expected<std::shared_ptr<const Plan>> make(const CompileOptions &O) const;
  Expected<clang::CompilerInvocation> bakedInvocation(Language Lang) const;
  Expected<clang::CompilerInvocation>
  invocationWithFlags(const CompileOptions &O,
                      const std::vector<std::string> &Flags,
                      std::vector<Diagnostic> &Warnings) const;

  const HeaderArchive &Baked;
  std::vector<std::string> PythonFolders;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<const Plan>> Plans;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PLAN_H
