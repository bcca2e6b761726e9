// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's compiler: one pass over a text, or two.

#pragma once

#include "../Backend/Backend.h"
#include "../CrashRecovery/CrashGuard.h"
#include "../Device/DeviceBackend.h"
#include "../Engine.h"
#include "../Files/EngineFileSystem.h"
#include "../Options/Instance.h"
#include "../Options/Plan.h"

#include "llvm/IR/LLVMContext.h"

#include <map>
#include <memory>
#include <string>

namespace clinch::engine {

class Job;

/// Holds what one compile needs and the next can reuse: a stack and the back
/// ends. Must not be used again after a crash.
class Worker {
public:
  explicit Worker(std::string DebugFolder)
      : DebugFolder(std::move(DebugFolder)) {}

  CompileStack &stack() { return Stack; }
  /// Must run on stack(). \p OnlyIfSilent: no back end runs after a warning.
  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O,
                                 const std::shared_ptr<const Plan> &P,
                                 bool OnlyIfSilent = false);

private:
  /// Drops what compiles share now and then, since a context keeps all that
  /// LLVM uniques.
  void renewContext();
  struct FirstPass;
  Expected<FirstPass> firstPass(const SourceText &Text, const CompileOptions &O,
                                const std::shared_ptr<const Plan> &P,
                                llvm::LLVMContext &C);
  Expected<EngineResult> compileLaunching(const SourceText &Text,
                                          const CompileOptions &O,
                                          const std::shared_ptr<const Plan> &P,
                                          llvm::LLVMContext &C, bool Again);
  /// From a parsed text to the object.
  Status generate(Job &J, const CompileOptions &O, const Plan &P, bool Again);
  KnownTarget &target(const std::shared_ptr<const Plan> &P);
  DeviceBackend *deviceBackend(const Plan &P, const std::string &Device);
  Backend *backend(const Plan &P, const llvm::Triple &Triple,
                   const std::string &CPU, const std::string &Features);
  Backend *hostBackend(const Plan &P);

  std::string DebugFolder;
  CompileStack Stack;
  std::unique_ptr<llvm::LLVMContext> Context;
  unsigned ContextUses = 0;
  std::map<std::string, std::unique_ptr<Backend>> Backends;
  std::map<std::string, std::unique_ptr<DeviceBackend>> DeviceBackends;
  std::map<std::shared_ptr<const Plan>, KnownTarget> Targets;
};

/// Returns \p Files with what the first pass over a text in CUDA has made, for
/// the second to find. \p Bytes receives what they refer to.
FileSources withImage(FileSources Files, const std::string &Image,
                      std::string &Bytes);

/// Returns the errors of both passes: what stands at one place, once.
Error bothErrors(Error First, Error Second);

/// Adds to the result of the second pass what the first has found and read.
void addFirst(EngineResult &Second, EngineResult First);

} // namespace clinch::engine
