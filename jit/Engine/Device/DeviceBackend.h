// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back end for devices, and its mathematics.

#pragma once

#include "../Options/Plan.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace clinch::engine {

/// Holds what compiles for one device and level share. Only one thread may use
/// it at a time.
class DeviceBackend {
public:
  static std::unique_ptr<DeviceBackend> create(const std::string &Device,
                                               const Plan &P);

  /// Links lib/Math in, or \p Libdevice, and optimises. Then only kernels and
  /// variables that a host can reach are visible. Returns false if that is no
  /// libdevice.
  bool optimise(llvm::Module &M, const llvm::MemoryBuffer *Libdevice);
  /// Returns PTX; must follow optimise().
  std::string emit(llvm::Module &M);

private:
  DeviceBackend(std::unique_ptr<llvm::TargetMachine> TM, Passes Level);

  std::unique_ptr<llvm::TargetMachine> TM;
  llvm::OptimizationLevel Level;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
  llvm::PassBuilder Builder;
};

/// Returns the symbols that code for a device uses and that neither it nor the
/// driver defines, and the operations that it lacks; sorted.
std::vector<std::string> missingOnDevice(const llvm::Module &M);

/// Links lib/Math into \p M, and makes calls of mathematical functions call it.
/// Results have the same bits as on the processor. With \p Libdevice, NVIDIA's
/// file of that name, the calls go to NVIDIA's functions instead; returns false
/// if the file is not libdevice. Call this before all passes: they would fold
/// calls of functions that LLVM knows.
bool linkDeviceMath(llvm::Module &M, const llvm::MemoryBuffer *Libdevice);

} // namespace clinch::engine
