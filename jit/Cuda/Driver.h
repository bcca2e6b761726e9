// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's driver, and what goes wrong in it.

#pragma once

#include "clinch/Support/Expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace clinch::cuda {

/// A number of CUDA's for an error, of its driver and runtime alike; 0: none.
using Code = int;
constexpr Code Success = 0, InvalidConfiguration = 9, InsufficientDriver = 35,
               InvalidFunction = 98, NoDevice = 100, UnsupportedPTX = 222,
               LaunchFailure = 719;

/// What went wrong last in a thread, until somebody asks.
struct Problem {
  Code Number;
  Error What;
};

/// Notes a problem of this thread; returns its number.
Code note(Code Number, Error What);
/// The same, with a sentence and where it happened.
Code note(Code Number, const std::string &Message,
          const std::string &Origin = "", unsigned Line = 0);

/// The number of the last problem.
Code lastProblem();
/// Returns it, and forgets it.
std::optional<Problem> takeProblem();

/// Returns what a number means, in CUDA's words.
const char *meaningOf(Code Number);

// The driver's types; an address of a device is a number there.
using DeviceNumber = int;
using Context = struct ContextOfDriver *;
using LoadedImage = struct ImageOfDriver *;
using LoadedKernel = struct KernelOfDriver *;
using Stream = struct StreamOfDriver *;

/// Each function: its name in the library, its name here, its parameters.
#define CLINCH_CUDA_FUNCTIONS(F)                                               \
  F(cuInit, cuInit, unsigned)                                                  \
  F(cuDriverGetVersion, cuDriverGetVersion, int *)                             \
  F(cuDeviceGet, cuDeviceGet, DeviceNumber *, int)                             \
  F(cuDeviceGetAttribute, cuDeviceGetAttribute, int *, int, DeviceNumber)      \
  F(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, Context *,             \
    DeviceNumber)                                                              \
  F(cuCtxGetCurrent, cuCtxGetCurrent, Context *)                               \
  F(cuCtxSetCurrent, cuCtxSetCurrent, Context)                                 \
  F(cuModuleLoadDataEx, cuModuleLoadDataEx, LoadedImage *, const void *,       \
    unsigned, int *, void **)                                                  \
  F(cuModuleUnload, cuModuleUnload, LoadedImage)                               \
  F(cuModuleGetFunction, cuModuleGetFunction, LoadedKernel *, LoadedImage,     \
    const char *)                                                              \
  F(cuFuncSetAttribute, cuFuncSetAttribute, LoadedKernel, int, int)            \
  F(cuLaunchKernel, cuLaunchKernel, LoadedKernel, unsigned, unsigned,          \
    unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void **,         \
    void **)                                                                   \
  F(cuStreamSynchronize, cuStreamSynchronize, Stream)                          \
  F(cuGetErrorString, cuGetErrorString, int, const char **)

/// The functions of `libcuda.so.1` that are called.
struct Driver {
#define CLINCH_CUDA_MEMBER(Symbol, Name, ...) Code (*Name)(__VA_ARGS__);
  CLINCH_CUDA_FUNCTIONS(CLINCH_CUDA_MEMBER)
#undef CLINCH_CUDA_MEMBER
  /// Tells a context from a later one at the same address; null before 12.0.
  Code (*cuCtxGetId)(Context, unsigned long long *);
};

/// Returns the driver, or null before driver() has found it.
const Driver *knownDriver();
/// Returns the driver, initialised; else null, and the reason is the thread's
/// last problem.
const Driver *driver();

/// A context, and what tells it from others.
struct CurrentContext {
  Context Which;
  uint64_t Id;
};
/// Returns the context of this thread, which becomes that of the first device
/// if there is none; else nothing, with a problem.
std::optional<CurrentContext> currentContext(const Driver &D);
/// Whether \p C is still there.
bool isAlive(const Driver &D, const CurrentContext &C);

/// Returns the name that Clang has for the first device, such as "sm_90"; empty
/// if there is no driver or device.
std::string firstDevice();

} // namespace clinch::cuda
