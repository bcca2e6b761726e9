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

/// Makes the calls of mathematical functions in \p M those of lib/Math, which
/// are linked in: the same bits as on the processor. With \p Libdevice,
/// NVIDIA's file of that name, they are those of that; returns false if it is
/// no such file. Must precede all passes, which would compute what they know.
bool linkDeviceMath(llvm::Module &M, const llvm::MemoryBuffer *Libdevice);

} // namespace clinch::engine
