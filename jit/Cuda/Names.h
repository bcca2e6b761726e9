//===- Names.h - What host code has of CUDA's runtime -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_CUDA_NAMES_H
#define CLINCH_JIT_CUDA_NAMES_H

#include <string_view>

namespace clinch::cuda {

/// The functions that host code may call; the prelude of texts declares them.
constexpr std::string_view FunctionsOfRuntime[] = {"cudaMalloc",
                                                   "cudaFree",
                                                   "cudaMemcpy",
                                                   "cudaMemcpyAsync",
                                                   "cudaMemset",
                                                   "cudaMemsetAsync",
                                                   "cudaMemcpyToSymbol",
                                                   "cudaMemcpyFromSymbol",
                                                   "cudaStreamCreate",
                                                   "cudaStreamSynchronize",
                                                   "cudaStreamDestroy",
                                                   "cudaEventCreate",
                                                   "cudaEventRecord",
                                                   "cudaEventSynchronize",
                                                   "cudaEventElapsedTime",
                                                   "cudaEventDestroy",
                                                   "cudaDeviceSynchronize",
                                                   "cudaGetLastError",
                                                   "cudaPeekAtLastError",
                                                   "cudaGetErrorName",
                                                   "cudaGetErrorString"};

} // namespace clinch::cuda

#endif // CLINCH_JIT_CUDA_NAMES_H
