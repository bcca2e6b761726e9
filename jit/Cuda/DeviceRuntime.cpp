// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By NVIDIA's driver.

#include "Calls.h"
#include "Images.h"
#include "Runtime.h"
#include "lib/Support/SymbolName.h"

using namespace clinch;
using namespace clinch::cuda;

namespace {
uint64_t number(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address);
}

std::string text(Extents E) {
  return "(" + std::to_string(E.X) + ", " + std::to_string(E.Y) + ", " +
         std::to_string(E.Z) + ")";
}

bool isEmpty(Extents E) { return !E.X || !E.Y || !E.Z; }

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
  if (I)
    checked(D.cuModuleGetFunction(&K, I, Kernel.Symbol.c_str()),
            "cuModuleGetFunction");
  return K;
}

Code launch(const void *Stub, Extents Grid, Extents Block, void **Arguments,
            size_t Shared, void *Stream) {
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

Code allocate(void **Result, size_t Bytes) {
  *Result = nullptr;
  if (!Bytes)
    return Success;
  return call("cudaMalloc", &Driver::cuMemAlloc,
              reinterpret_cast<uint64_t *>(Result), Bytes);
}

Code release(void *Memory) {
  return Memory ? call("cudaFree", &Driver::cuMemFree, number(Memory))
                : Success;
}

// Addresses say themselves where they are.
Code copy(void *To, const void *From, size_t Bytes, int) {
  return Bytes ? call("cudaMemcpy", &Driver::cuMemcpy, number(To), number(From),
                      Bytes)
               : Success;
}

Code copyAsync(void *To, const void *From, size_t Bytes, int, void *Stream) {
  return Bytes ? call("cudaMemcpyAsync", &Driver::cuMemcpyAsync, number(To),
                      number(From), Bytes, static_cast<cuda::Stream>(Stream))
               : Success;
}

Code set(void *Memory, int Byte, size_t Bytes) {
  return call("cudaMemset", &Driver::cuMemsetD8, number(Memory),
              static_cast<unsigned char>(Byte), Bytes);
}

Code setAsync(void *Memory, int Byte, size_t Bytes, void *Stream) {
  return call("cudaMemsetAsync", &Driver::cuMemsetD8Async, number(Memory),
              static_cast<unsigned char>(Byte), Bytes,
              static_cast<cuda::Stream>(Stream));
}

/// Returns the address of a variable on the device; 0, with a problem, if it is
/// none, or has not so many bytes.
uint64_t addressOf(const void *Shadow, size_t Bytes, size_t Offset) {
  const Named V = findVariable(Shadow);
  const Driver *D = driver();
  const std::optional<CurrentContext> C = D ? currentContext(*D) : std::nullopt;
  LoadedImage I = C && V ? loadedIn(*D, *V.Of, *C) : nullptr;
  uint64_t Address = 0;
  size_t Size = 0;
  if (I && checked(D->cuModuleGetGlobal(&Address, &Size, I, V.Symbol.c_str()),
                   "cuModuleGetGlobal") != Success)
    return 0;
  if (I && Offset <= Size && Bytes <= Size - Offset)
    return Address + Offset;
  if (C && (I || !V))
    note(InvalidSymbol, V ? "`" + symbolName(V.Symbol) + "` has " +
                                std::to_string(Size) + " bytes, and " +
                                std::to_string(Bytes) + " from " +
                                std::to_string(Offset) + " on are copied."
                          : "It is no variable of a device.");
  return 0;
}

Code copyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                  size_t Offset, int) {
  const uint64_t To = addressOf(Symbol, Bytes, Offset);
  return To ? call("cudaMemcpyToSymbol", &Driver::cuMemcpy, To, number(From),
                   Bytes)
            : lastProblem();
}

Code copyFromSymbol(void *To, const void *Symbol, size_t Bytes, size_t Offset,
                    int) {
  const uint64_t From = addressOf(Symbol, Bytes, Offset);
  return From ? call("cudaMemcpyFromSymbol", &Driver::cuMemcpy, number(To),
                     From, Bytes)
              : lastProblem();
}

Code synchronize() {
  return call("cudaDeviceSynchronize", &Driver::cuCtxSynchronize);
}
} // namespace

const Runtime cuda::OnDevice = {
    launch, allocate, release,      copy,           copyAsync,
    set,    setAsync, copyToSymbol, copyFromSymbol, synchronize};
