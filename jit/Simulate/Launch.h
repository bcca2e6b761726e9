// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run a kernel without a device.

#pragma once

#include "SimulatedCode.h"
#include "clinch/Support/Expected.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch::simulate {

/// Memory that a kernel may use. The program's own variables need not be given.
struct Allocation {
  std::string Name; ///< In messages.
  char *Begin;
  size_t Bytes;
  bool Writable;
};

struct LaunchOptions {
  uint32_t Grid[3] = {1, 1, 1};
  uint32_t Block[3] = {1, 1, 1};
  uint64_t SharedBytes = 0; ///< Dynamic.
  /// In which order the threads of a block run, where nothing says so. 0: in
  /// the order of their numbers. The same number is the same order.
  uint64_t Schedule = 0;
  /// Processors at most; a program with checks has one. 0: all.
  unsigned Workers = 0;
  std::vector<Allocation> Memory;
  std::string *Printed = nullptr; ///< Gets what the kernel prints.
  /// Called now and then on the thread that launches. True ends the launch.
  std::function<bool()> Interrupted;
};

/// Runs \p Kernel, named by its symbol or as written, to its end. Arguments are
/// the addresses of the parameters' values.
///
/// Fails with kind InvalidArgument if a device would refuse the launch, and
/// with kind Rule, with a diagnostic for each finding, if the kernel is wrong:
/// a failed assertion, a deadlock, and what the checks find. Fails with kind
/// Limit if there is no memory for one block, or if it was interrupted.
Status launch(const Program &P, std::string_view Kernel, const LaunchOptions &O,
              const std::vector<void *> &Arguments);

/// Returns a function that simulated code calls, or null.
void *findSimulation(std::string_view Name);

} // namespace clinch::simulate
