// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What host code has of CUDA's runtime.

#pragma once

#include <string_view>

namespace clinch::cuda {

/// Each function that host code may call, which the prelude of texts declares,
/// and what it is in findRuntime(), where R is a Runtime and S are Streams.
#define CLINCH_CUDA_RUNTIME(F)                                                 \
  F(cudaMalloc, R.Allocate)                                                    \
  F(cudaFree, R.Free)                                                          \
  F(cudaMemcpy, R.Copy)                                                        \
  F(cudaMemcpyAsync, R.CopyAsync)                                              \
  F(cudaMemset, R.Set)                                                         \
  F(cudaMemsetAsync, R.SetAsync)                                               \
  F(cudaMemcpyToSymbol, R.CopyToSymbol)                                        \
  F(cudaMemcpyFromSymbol, R.CopyFromSymbol)                                    \
  F(cudaStreamCreate, S.Create)                                                \
  F(cudaStreamSynchronize, S.Synchronize)                                      \
  F(cudaStreamDestroy, S.Destroy)                                              \
  F(cudaEventCreate, S.CreateEvent)                                            \
  F(cudaEventRecord, S.Record)                                                 \
  F(cudaEventSynchronize, S.SynchronizeEvent)                                  \
  F(cudaEventElapsedTime, S.Elapsed)                                           \
  F(cudaEventDestroy, S.DestroyEvent)                                          \
  F(cudaDeviceSynchronize, R.Synchronize)                                      \
  F(cudaGetLastError, lastAndForget)                                           \
  F(cudaPeekAtLastError, lastProblem)                                          \
  F(cudaGetErrorName, nameOf)                                                  \
  F(cudaGetErrorString, meaningOf)

/// Those that Clang's own code calls.
#define CLINCH_CUDA_BY_CLANG(F)                                                \
  F(cudaLaunchKernel, R.Launch)                                                \
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
constexpr std::string_view FunctionsByClang[] = {
    CLINCH_CUDA_BY_CLANG(CLINCH_CUDA_NAME)};
#undef CLINCH_CUDA_NAME

/// What objects have before these names, which are CUDA's own runtime's too: it
/// may be in the process, for others.
constexpr std::string_view DevicePrefix = "clinch_cuda_",
                           SimulatedPrefix = "clinch_simulated_";

} // namespace clinch::cuda
