// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are run.

#include "State.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace gpu;
using clinch::simulate::LaunchOptions;

/// A CUlaunchConfig, without its attributes.
struct Configuration {
  unsigned Grid[3], Block[3], Shared;
  Stream *On;
};

static std::string written(const Function &F, const LaunchOptions &O,
                           bool IsNull) {
  std::string Text = std::string("launch ") + F.Kernel->Symbol + " grid";
  for (const uint32_t N : O.Grid)
    Text += " " + std::to_string(N);
  Text += " block";
  for (const uint32_t N : O.Block)
    Text += " " + std::to_string(N);
  return Text + " shared " + std::to_string(O.SharedBytes) +
         (IsNull ? "" : " in a stream");
}

/// What a device refuses before it runs anything.
static bool isRefused(const Function &F, const LaunchOptions &O) {
  const uint64_t Threads = uint64_t(O.Block[0]) * O.Block[1] * O.Block[2];
  const uint64_t Most = F.Kernel->MaxThreads ? F.Kernel->MaxThreads : 1024;
  return !(O.Grid[0] && O.Grid[1] && O.Grid[2] && Threads) || Threads > Most ||
         O.Block[2] > 64 || O.Grid[1] > 65535 || O.Grid[2] > 65535 ||
         F.Kernel->SharedBytes + O.SharedBytes > F.Code->SharedLimit;
}

/// The error that a device has for what the simulator found.
static Result resultOf(const clinch::Error &E) {
  std::string &Said = driver().Said;
  Said = E.message();
  for (const clinch::Diagnostic &D : E.diagnostics())
    Said += "\n" + clinch::renderDiagnostic(D);
  if (Said.find("assert") != std::string::npos)
    return Assertion;
  return Said.find("bytes at") != std::string::npos ? IllegalAddress
                                                    : LaunchFailed;
}

static Result run(Context &C, const Function &F, LaunchOptions O,
                  std::vector<std::vector<char>> Arguments) {
  std::vector<void *> Addresses;
  for (std::vector<char> &Each : Arguments)
    Addresses.push_back(Each.data());
  for (const auto &[At, M] : C.Allocations)
    O.Memory.push_back(
        {"memory of the device", reinterpret_cast<char *>(At), M.Bytes, true});
  std::string Printed;
  O.Printed = &Printed;
  const clinch::Status Ended =
      clinch::simulate::launch(*F.Code, F.Kernel->Symbol, O, Addresses);
  std::fwrite(Printed.data(), 1, Printed.size(), stdout);
  std::fflush(stdout);
  return Ended ? Success : resultOf(Ended.error());
}

static Result launch(Function *F, const Configuration &Given,
                     void **Arguments) {
  const Call C;
  if (C.error())
    return C.error();
  Stream *S = streamOf(C, Given.On);
  if (!S || !driver().Functions.contains(F))
    return InvalidHandle;
  if (F->Of && F->Of != C.context())
    return InvalidContext;
  LaunchOptions O;
  std::copy_n(Given.Grid, 3, O.Grid);
  std::copy_n(Given.Block, 3, O.Block);
  O.SharedBytes = Given.Shared;
  if (isRefused(*F, O))
    return InvalidValue;
  std::vector<std::vector<char>> Copied;
  for (uint32_t I = 0; I < F->Kernel->Parameters; ++I) {
    const char *At = static_cast<const char *>(Arguments[I]);
    Copied.emplace_back(At, At + F->Kernel->ParameterBytes[I]);
  }
  driver().record(written(*F, O, S == &C->Null));
  S->add([Of = C.context(), F = *F, O, Copied = std::move(Copied)] {
    return run(*Of, F, O, Copied);
  });
  return Success;
}

extern "C" {

Result cuLaunchKernel(Function *F, unsigned GridX, unsigned GridY,
                      unsigned GridZ, unsigned BlockX, unsigned BlockY,
                      unsigned BlockZ, unsigned Shared, Stream *On,
                      void **Arguments, void **Extra) {
  if (Extra)
    return NotSupported;
  return launch(F,
                {{GridX, GridY, GridZ}, {BlockX, BlockY, BlockZ}, Shared, On},
                Arguments);
}

Result cuLaunchKernelEx(const Configuration *Given, Function *F,
                        void **Arguments, void **Extra) {
  return Extra ? NotSupported : launch(F, *Given, Arguments);
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, Function *,
                                                   int Threads, size_t) {
  *Blocks = 2048 / std::max(Threads, 1);
  return Success;
}

} // extern "C"
