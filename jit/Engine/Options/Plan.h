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

/// How to compile one set of options; compiles with equal options share it.
struct Plan {
  clang::CompilerInvocation Invocation;
  Passes Optimise = Passes::Auto;
  llvm::CodeGenOptLevel CodeGen = llvm::CodeGenOptLevel::Default;
  bool VectorMath = false;               ///< On in the tier max.
  std::vector<Diagnostic> Warnings;      ///< About the flags themselves.
  std::vector<std::string> PrefixTraits; ///< See adaptPrefix().
};

/// Makes and caches plans, since the driver takes a millisecond.
class Planner {
public:
  /// \p PythonFolders hold Python's and NumPy's headers. They are ignored if
  /// the headers are those of the build.
  Planner(const HeaderArchive &Baked, std::vector<std::string> PythonFolders);

  Expected<std::shared_ptr<const Plan>> plan(const CompileOptions &O);
  /// Returns the invocation that precompiles the headers for \p P.
  Expected<clang::CompilerInvocation> prefixInvocation(Language Lang,
                                                       const Plan &P) const;
  /// Returns the baked search path without the folders of a foreign Python.
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
                      const clang::CompilerInvocation &Base,
                      std::vector<Diagnostic> &Warnings) const;

  const HeaderArchive &Baked;
  std::vector<std::string> PythonFolders;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<const Plan>> Plans;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PLAN_H
