// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled blocks have of CUDA's runtime.

#pragma once

#include <string_view>

namespace clinch::cuda {

/// Each function that blocks and Clang's own code call, and what it is in
/// findRuntime().
#define CLINCH_CUDA_RUNTIME(F)                                                 \
  F(cudaStreamSynchronize, Wait)                                               \
  F(cudaLaunchKernel, Launch)                                                  \
  F(__cudaPushCallConfiguration, pushLaunch)                                   \
  F(__cudaPopCallConfiguration, popLaunch)                                     \
  F(__cudaRegisterFatBinary, registerImage)                                    \
  F(__cudaRegisterProgram, registerProgram)                                    \
  F(__cudaRegisterFunction, registerKernel)                                    \
  F(__cudaRegisterVar, registerVariable)                                       \
  F(__cudaRegisterFatBinaryEnd, registered)                                    \
  F(__cudaUnregisterFatBinary, unregister)

#define CLINCH_CUDA_NAME(Name, Is) #Name,
constexpr std::string_view FunctionsOfRuntime[] = {
    CLINCH_CUDA_RUNTIME(CLINCH_CUDA_NAME)};
#undef CLINCH_CUDA_NAME

/// What objects have before these names, which are CUDA's own runtime's too: it
/// may be in the process, for others.
constexpr std::string_view DevicePrefix = "clinch_cuda_",
                           SimulatedPrefix = "clinch_simulated_";

} // namespace clinch::cuda
