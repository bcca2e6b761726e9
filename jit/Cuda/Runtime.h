// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks in CUDA call: by the driver or by the simulator.

#pragma once

#include "Driver.h"
#include "jit/Simulate/Launch.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clinch::cuda {

/// `dim3` of CUDA, passed as it is there.
struct Extents {
  uint32_t X, Y, Z;
};

/// A launch of the thread, and its place in an author's text.
struct Launch {
  Extents Grid, Block;
  size_t Shared;
  void *Stream;
  const char *File;
  uint32_t Line;
};

/// Notes that the launch of \p Kernel failed, and where.
Code failed(Code Number, const std::string &Kernel, const std::string &Why);

/// \name What compiled code calls for `<<<...>>>`, and in the kernel's stub.
/// @{
unsigned pushLaunch(Extents Grid, Extents Block, size_t Shared, void *Stream,
                    const char *File, unsigned Line);
Code popLaunch(Extents *Grid, Extents *Block, size_t *Shared, void *Stream);
/// @}

/// What a kernel's stub calls. Returns 0, or the number of a problem that is
/// noted.
Code launchOnDevice(const void *Stub, Extents Grid, Extents Block,
                    void **Arguments, size_t Shared, void *Stream);
Code launchSimulated(const void *Stub, Extents Grid, Extents Block,
                     void **Arguments, size_t Shared, void *Stream);

/// Waits for a stream, such as that of an array. Simulated ones run at once.
Code waitOnDevice(void *Stream);
Code waitSimulated(void *Stream);

/// Returns what compiled code calls by that name, which has one of the prefixes
/// of Names.h, or null.
void *findRuntime(std::string_view Name);

/// Lets simulated kernels use this memory that this thread launches, until
/// it is taken back as often.
void lendMemory(char *Begin, size_t Bytes);
void takeBackMemory(char *Begin, size_t Bytes);

} // namespace clinch::cuda
