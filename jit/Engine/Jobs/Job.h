//===- Job.h - One text on its way to an object -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_JOBS_JOB_H
#define CLINCH_JIT_ENGINE_JOBS_JOB_H

#include "../Backend/Backend.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "../Engine.h"
#include "../Files/EngineFileSystem.h"
#include "../Frontend/Frontend.h"
#include "../Options/Plan.h"
#include "../Survival/Budget.h"

#include "llvm/IR/LLVMContext.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// What belongs to one compile alone, and its steps.
class Job {
public:
  /// \p Context and \p Target may have been used before, and may be again.
  Job(const FileSources &Files, llvm::LLVMContext &Context,
      KnownTarget &Target);
  ~Job();

  Status parse(const SourceText &Text, const CompileOptions &O, const Plan &P,
               const std::string &PrefixPath, Budget &Limits);
  /// Parses again what is known to be right, as a debugger shall show it: in a
  /// file, with the lines of the whole text.
  Status parseForDebugger(const SourceText &Text, const CompileOptions &O,
                          const Plan &P, const std::string &PrefixPath,
                          const std::string &Folder, Budget &Limits);
  /// Emits with passes that are kept when \p Again.
  Status generate(Backend &B, const CompileOptions &O, Budget &Limits,
                  bool Again);
  EngineResult finish(const Plan &P);

  const ParsedModule &parsed() const { return Parsed; }

private:
  static void onBackendDiagnostic(const llvm::DiagnosticInfo *Info,
                                  void *TheJob);
  void keep(const CompileOptions &O, Stage S);

  std::optional<RegionMap> Regions; ///< Of the text that is compiled.
  DiagnosticCollector Diags;
  DiagnosticCollector SecondDiags; ///< Of what is parsed for the debugger.
  llvm::LLVMContext &Context;
  KnownTarget &Target;
  llvm::IntrusiveRefCntPtr<EngineFileSystem> FS;
  ParsedModule Parsed;
  EngineResult Result;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_JOBS_JOB_H
