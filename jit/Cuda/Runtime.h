// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks in CUDA call.

#pragma once

#include "Launches.h"
#include "jit/Simulate/Launch.h"

#include <string_view>

namespace clinch::cuda {

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
