// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What host code in CUDA calls.

#pragma once

#include "Launches.h"
#include "jit/Simulate/Launch.h"

#include <string_view>
#include <vector>

namespace clinch::cuda {

/// The functions of CUDA's runtime that both a device and the simulator have.
/// Each returns 0, or the number of a problem that it has noted.
struct Runtime {
  Code (*Launch)(const void *Stub, Extents Grid, Extents Block,
                 void **Arguments, size_t Shared, void *Stream);
  Code (*Allocate)(void **Result, size_t Bytes);
  Code (*Free)(void *Memory);
  Code (*Copy)(void *To, const void *From, size_t Bytes, int Kind);
  Code (*CopyAsync)(void *To, const void *From, size_t Bytes, int Kind,
                    void *Stream);
  Code (*Set)(void *Memory, int Byte, size_t Bytes);
  Code (*SetAsync)(void *Memory, int Byte, size_t Bytes, void *Stream);
  Code (*CopyToSymbol)(const void *Symbol, const void *From, size_t Bytes,
                       size_t Offset, int Kind);
  Code (*CopyFromSymbol)(void *To, const void *Symbol, size_t Bytes,
                         size_t Offset, int Kind);
  Code (*Synchronize)();
};
extern const Runtime OnDevice, Simulated;

/// Returns what compiled code calls by that name, which has one of the prefixes
/// of Names.h, or null.
void *findRuntime(std::string_view Name);

/// Sets the memory, besides what it allocates itself, that simulated kernels
/// may use which this thread launches.
void giveMemory(std::vector<simulate::Allocation> Memory);

/// Lets simulated kernels use this memory too that this thread launches, until
/// it is taken back as often.
void lendMemory(char *Begin, size_t Bytes);
void takeBackMemory(char *Begin, size_t Bytes);

} // namespace clinch::cuda
