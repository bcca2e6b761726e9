//===- Runtime.cpp - What host code in CUDA calls -------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

#include "Images.h"
#include "Streams.h"

#include "llvm/Demangle/Demangle.h"

#include <cstdlib>

using namespace clinch;
using namespace clinch::cuda;

namespace {
struct Entry {
  std::string_view Name;
  void *Address;
};

Code lastAndForget() {
  const Code Number = lastProblem();
  takeProblem();
  return Number;
}

template <typename Function> void *addressOf(Function *F) {
  return reinterpret_cast<void *>(F);
}

template <size_t N>
void *findIn(const Entry (&Entries)[N], std::string_view Name) {
  for (const Entry &E : Entries)
    if (E.Name == Name)
      return E.Address;
  return nullptr;
}

/// What does not depend on who runs the kernels.
void *findCommon(std::string_view Name) {
  const Entry Entries[] = {
      {"cudaGetLastError", addressOf(lastAndForget)},
      {"cudaPeekAtLastError", addressOf(lastProblem)},
      {"cudaGetErrorString", addressOf(meaningOf)},
      {"cudaGetErrorName", addressOf(nameOf)},
      {"__cudaPushCallConfiguration", addressOf(pushLaunch)},
      {"__cudaPopCallConfiguration", addressOf(popLaunch)},
      {"__cudaRegisterFatBinary", addressOf(registerImage)},
      {"clinch_cuda_register_program", addressOf(registerProgram)},
      {"__cudaRegisterFunction", addressOf(registerKernel)},
      {"__cudaRegisterVar", addressOf(registerVariable)},
      {"__cudaRegisterFatBinaryEnd", addressOf(registered)},
      {"__cudaUnregisterFatBinary", addressOf(unregister)}};
  return findIn(Entries, Name);
}

void *findIn(const Runtime &R, std::string_view Name) {
  const Entry Entries[] = {
      {"cudaLaunchKernel", addressOf(R.Launch)},
      {"cudaMalloc", addressOf(R.Allocate)},
      {"cudaFree", addressOf(R.Free)},
      {"cudaMemcpy", addressOf(R.Copy)},
      {"cudaMemcpyAsync", addressOf(R.CopyAsync)},
      {"cudaMemset", addressOf(R.Set)},
      {"cudaMemsetAsync", addressOf(R.SetAsync)},
      {"cudaMemcpyToSymbol", addressOf(R.CopyToSymbol)},
      {"cudaMemcpyFromSymbol", addressOf(R.CopyFromSymbol)},
      {"cudaDeviceSynchronize", addressOf(R.Synchronize)}};
  return findIn(Entries, Name);
}

void *findIn(const Streams &S, std::string_view Name) {
  const Entry Entries[] = {
      {"cudaStreamCreate", addressOf(S.Create)},
      {"cudaStreamDestroy", addressOf(S.Destroy)},
      {"cudaStreamSynchronize", addressOf(S.Synchronize)},
      {"cudaEventCreate", addressOf(S.CreateEvent)},
      {"cudaEventDestroy", addressOf(S.DestroyEvent)},
      {"cudaEventRecord", addressOf(S.Record)},
      {"cudaEventSynchronize", addressOf(S.SynchronizeEvent)},
      {"cudaEventElapsedTime", addressOf(S.Elapsed)}};
  return findIn(Entries, Name);
}
} // namespace

void *cuda::findRuntime(std::string_view Name) {
  const bool IsSimulated = Name.starts_with(SimulatedPrefix);
  if (IsSimulated)
    Name.remove_prefix(SimulatedPrefix.size());
  if (void *Address = findCommon(Name))
    return Address;
  if (void *Address = findIn(IsSimulated ? Simulated : OnDevice, Name))
    return Address;
  return findIn(IsSimulated ? SimulatedStreams : StreamsOnDevice, Name);
}

// As jit/Engine/Simulate/ProgramTable.cpp does it.
std::string cuda::written(const std::string &Symbol) {
  llvm::ItaniumPartialDemangler D; // Refers to its text.
  if (!Symbol.starts_with("_Z") || D.partialDemangle(Symbol.c_str()))
    return Symbol;
  char *Text = D.isFunction() ? D.getFunctionName(nullptr, nullptr)
                              : D.finishDemangle(nullptr, nullptr);
  std::string Name = Text;
  std::free(Text);
  if (const size_t At = Name.rfind(")::"); At != std::string::npos)
    Name.erase(0, At + 3); // Of a variable in a function, the last part.
  return Name;
}
