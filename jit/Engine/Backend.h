//===- Backend.h - IR to object code -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_BACKEND_H
#define CLINCH_JIT_ENGINE_BACKEND_H

#include "Budget.h"
#include "Plan.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// What can be kept from compile to compile for one CPU and level: the target
/// machine, the analyses, the pipelines that may run again. For one thread at
/// a time.
class Backend {
public:
  static std::unique_ptr<Backend> create(const llvm::Triple &Triple,
                                         const std::string &CPU,
                                         const std::string &Features,
                                         const Plan &P);

  void prepare(llvm::Module &M);
  void optimise(llvm::Module &M, Budget &Limits);
  /// False when the target cannot write such a file.
  bool emit(llvm::Module &M, llvm::CodeGenFileType Kind,
            llvm::SmallVectorImpl<char> &Out, Budget &Limits);

private:
  Backend(std::unique_ptr<llvm::TargetMachine> TM, const Plan &P);
  void registerAnalyses();
  llvm::ModulePassManager &shortPipeline();
  void runDefault(llvm::Module &M, llvm::OptimizationLevel Level);

  std::unique_ptr<llvm::TargetMachine> TM;
  Passes Optimise;
  Budget *Limits = nullptr; ///< Of the compile that runs.
  llvm::TargetLibraryInfoImpl Library;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassInstrumentationCallbacks Callbacks;
  llvm::PassBuilder Builder;
  llvm::ModulePassManager Short;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_BACKEND_H
