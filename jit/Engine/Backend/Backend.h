// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR to object code.

#pragma once

#include "../Options/Plan.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// Holds what compiles for one CPU and level share: the target machine, the
/// analyses and the reusable pipelines. Only one thread may use it at a time.
class Backend {
public:
  ~Backend();
  static std::unique_ptr<Backend> create(const llvm::Triple &Triple,
                                         const std::string &CPU,
                                         const std::string &Features,
                                         const Plan &P);

  const llvm::TargetMachine &machine() const { return *TM; }
  void prepare(llvm::Module &M);
  /// \p Assembled: \p M is a graph, whose functions run once a call.
  void optimise(llvm::Module &M, bool Assembled);
  /// Must follow optimise().
  std::string emit(llvm::Module &M, llvm::CodeGenFileType Kind);
  /// Emits an object with passes that are reused for the next module of the
  /// same context: making them takes longer than running them.
  std::string emitAgain(llvm::Module &M);

private:
  struct Emitter;

  Backend(std::unique_ptr<llvm::TargetMachine> TM, const Plan &P);
  void registerAnalyses();
  void addPasses(Emitter &E, llvm::CodeGenFileType Kind);
  void runPasses(llvm::Module &M, llvm::ModulePassManager &Pipeline,
                 const char *Text);
  void runLoopless(llvm::Module &M);
  void runQuick(llvm::Module &M);
  void runLoops(llvm::Module &M, bool Assembled);
  void runDefault(llvm::Module &M, llvm::OptimizationLevel Level);

  std::unique_ptr<llvm::TargetMachine> TM;
  Passes Optimise;
  bool InlinesAsTold; ///< By a flag.
  bool MathErrno;     ///< Whether mathematical functions must set errno.
  bool DefinesMath;   ///< Whether objects have them.
  llvm::TargetLibraryInfoImpl Library;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassInstrumentationCallbacks Callbacks;
  llvm::OptNoneInstrumentation OptNone{/*DebugLogging=*/false};
  llvm::TimeProfilingPassesHandler Profiled; ///< Of the compile that made it.
  llvm::PassBuilder Builder;
  llvm::ModulePassManager Early, Quick, BeforeInlining, Inline, Loopless;
  std::unique_ptr<Emitter> Objects;
};

} // namespace clinch::engine
