//===- Arguments.h - Clang's cc1 arguments ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_ARGUMENTS_H
#define CLINCH_JIT_ENGINE_OPTIONS_ARGUMENTS_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace clinch::engine {

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

#endif // CLINCH_JIT_ENGINE_OPTIONS_ARGUMENTS_H
