// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compile of a text to an object.

#pragma once

#include "../Backend/Backend.h"
#include "../Device/DeviceBackend.h"
#include "../Diagnostics/DiagnosticCollector.h"
#include "../Engine.h"
#include "../Files/EngineFileSystem.h"
#include "../Frontend/Frontend.h"
#include "../Options/Plan.h"

#include "llvm/IR/LLVMContext.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// The state and the steps of one compile.
class Job {
public:
  /// \p Context and \p Target may be shared with earlier and later jobs.
  Job(const FileSources &Files, llvm::LLVMContext &Context,
      KnownTarget &Target);
  ~Job();

  Status parse(const SourceText &Text, const CompileOptions &O, const Plan &P);
  /// Parses a correct text again from a file as a debugger will show it, with
  /// the lines of the whole text.
  Status parseForDebugger(const SourceText &Text, const CompileOptions &O,
                          const Plan &P, const std::string &Folder);
  /// Reuses the emitting passes if \p Again.
  Status generate(Backend &B, const CompileOptions &O, bool Again);
  /// \p Host emits what is simulated, unless a second pass follows, which
  /// links it in; null: PTX is made.
  Status generateForDevice(DeviceBackend &B, Backend *Host,
                           const CompileOptions &O);
  std::unique_ptr<llvm::Module> takeModule() { return std::move(Parsed.IR); }
  /// Of a second pass, between parse() and generate(): if \p Simulated is not
  /// null, the kernels are there.
  void setKernels(std::unique_ptr<llvm::Module> Simulated);
  EngineResult finish(const Plan &P);

  const ParsedModule &parsed() const { return Parsed; }
  bool hasWarnings() const { return Diags.hasWarnings(); }

private:
  static void onBackendDiagnostic(const llvm::DiagnosticInfo *Info,
                                  void *TheJob);
  void keep(const CompileOptions &O, Stage S);
  Status missing(const std::vector<std::string> &Symbols);

  std::optional<RegionMap> Regions; ///< Of the compiled text.
  DiagnosticCollector Diags;
  DiagnosticCollector SecondDiags; ///< Of parseForDebugger().
  llvm::LLVMContext &Context;
  KnownTarget &Target;
  llvm::IntrusiveRefCntPtr<EngineFileSystem> FS;
  ParsedModule Parsed;
  std::unique_ptr<llvm::Module> Kernels; ///< Simulated, of a second pass.
  std::string Remarks;
  EngineResult Result;
};

} // namespace clinch::engine
