// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By NVIDIA's driver.

#include "Images.h"
#include "Runtime.h"
#include "lib/Support/Text.h"

using namespace clinch;
using namespace clinch::cuda;

namespace {
std::string text(Extents E) {
  return "(" + std::to_string(E.X) + ", " + std::to_string(E.Y) + ", " +
         std::to_string(E.Z) + ")";
}

bool isEmpty(Extents E) { return !E.X || !E.Y || !E.Z; }

/// Notes what the driver says of a call.
Code noteCall(const char *Called, Code Number) {
  return note(Number, std::string("`") + Called +
                          "` failed: " + meaningOf(Number) + " (" +
                          std::to_string(Number) + ").");
}

/// Says where the launch stands of which something else failed.
Code launchFailed(const std::string &Kernel) {
  const std::optional<Problem> P = takeProblem();
  return failed(P->Number, Kernel, P->What.message());
}

/// Returns null, with a problem.
LoadedKernel findIn(const Driver &D, const Named &Kernel) {
  const std::optional<CurrentContext> C = currentContext(D);
  LoadedImage I = C ? loadedIn(D, *Kernel.Of, *C) : nullptr;
  LoadedKernel K = nullptr;
  if (const Code Number =
          I ? D.cuModuleGetFunction(&K, I, Kernel.Symbol.c_str()) : Success)
    noteCall("cuModuleGetFunction", Number);
  return K;
}
} // namespace

Code cuda::launchOnDevice(const void *Stub, Extents Grid, Extents Block,
                          void **Arguments, size_t Shared, void *Stream) {
  const Named Kernel = findKernel(Stub);
  if (!Kernel)
    return failed(InvalidFunction, "?", "it is no kernel.");
  const std::string Name = symbolName(Kernel.Symbol);
  if (isEmpty(Grid) || isEmpty(Block))
    return failed(InvalidConfiguration, Name,
                  "a device refuses the grid " + text(Grid) +
                      " of blocks of threads " + text(Block) + ".");
  const Driver *D = driver();
  LoadedKernel K = D ? findIn(*D, Kernel) : nullptr;
  if (!K)
    return launchFailed(Name);
  // More must be asked for, and is by the launch.
  constexpr size_t WithoutAsking = size_t(48) << 10;
  constexpr int DynamicSharedBytes = 8;
  Code Number = Success;
  if (Shared > WithoutAsking)
    Number = D->cuFuncSetAttribute(K, DynamicSharedBytes, int(Shared));
  if (!Number)
    Number = D->cuLaunchKernel(
        K, Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y, Block.Z, unsigned(Shared),
        static_cast<cuda::Stream>(Stream), Arguments, nullptr);
  if (!Number)
    return Success;
  return failed(Number, Name,
                meaningOf(Number) + std::string(" (") + std::to_string(Number) +
                    "), of a grid " + text(Grid) + " of blocks of threads " +
                    text(Block) + " with " + std::to_string(Shared) +
                    " bytes of dynamic shared memory.");
}

Code cuda::waitOnDevice(void *Stream) {
  const Driver *D = driver();
  if (!D || !currentContext(*D))
    return lastProblem();
  const Code Number = D->cuStreamSynchronize(static_cast<cuda::Stream>(Stream));
  return Number ? noteCall("cudaStreamSynchronize", Number) : Success;
}
