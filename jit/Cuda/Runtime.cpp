// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What blocks in CUDA call: by the driver or by the simulator.

#include "Runtime.h"
#include "Images.h"
#include "Names.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

using namespace clinch;
using namespace clinch::cuda;

namespace {
struct Entry {
  std::string_view Name;
  void *Address;
};

template <typename Function> void *addressOf(Function *F) {
  return reinterpret_cast<void *>(F);
}

} // namespace

void *cuda::findRuntime(std::string_view Name) {
  const bool IsSimulated = Name.starts_with(SimulatedPrefix);
  if (!IsSimulated && !Name.starts_with(DevicePrefix))
    return nullptr;
  Name.remove_prefix((IsSimulated ? SimulatedPrefix : DevicePrefix).size());
  const auto Launch = IsSimulated ? launchSimulated : launchOnDevice;
  const auto Wait = IsSimulated ? waitSimulated : waitOnDevice;
  const Entry Entries[] = {
#define CLINCH_CUDA_ENTRY(Name, Is) {#Name, addressOf(Is)},
      CLINCH_CUDA_RUNTIME(CLINCH_CUDA_ENTRY)
#undef CLINCH_CUDA_ENTRY
  };
  for (const Entry &E : Entries)
    if (E.Name == Name)
      return E.Address;
  return nullptr;
}

/// A launch may stand among the arguments of another.
constexpr size_t MostNested = 16;

namespace {
struct Stack {
  std::array<Launch, MostNested> Pushed;
  size_t Count;
  Launch Current;
};
} // namespace

static thread_local constinit Stack Launches{};

Code cuda::failed(Code Number, const std::string &Kernel,
                  const std::string &Why) {
  const Launch &L = Launches.Current;
  return note(Number, "The launch of `" + Kernel + "` failed: " + Why,
              L.File ? L.File : "", L.Line);
}

unsigned cuda::pushLaunch(Extents Grid, Extents Block, size_t Shared,
                          void *Stream, const char *File, unsigned Line) {
  if (Launches.Count == MostNested) {
    note(InvalidConfiguration,
         "A launch stands among the arguments of 16 "
         "others: that is too deep.",
         File, Line);
    return 1; // Then nothing is launched.
  }
  Launches.Pushed[Launches.Count++] = {Grid, Block, Shared, Stream, File, Line};
  return 0;
}

Code cuda::popLaunch(Extents *Grid, Extents *Block, size_t *Shared,
                     void *Stream) {
  if (!Launches.Count)
    return note(InvalidConfiguration,
                "A kernel was called as a function: expected a launch.");
  const Launch &L = Launches.Current = Launches.Pushed[--Launches.Count];
  *Grid = L.Grid;
  *Block = L.Block;
  *Shared = L.Shared;
  *static_cast<void **>(Stream) = L.Stream;
  return Success;
}

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

namespace {
/// From where to where, in order.
using Loans = std::multiset<std::pair<char *, char *>>;
thread_local std::unique_ptr<Loans> Lent;

/// What a kernel may use that this thread launches. Some of it may overlap.
std::vector<simulate::Allocation> memory() {
  std::vector<simulate::Allocation> All;
  for (const auto &[Begin, End] : Lent ? *Lent : Loans())
    if (!All.empty() && Begin <= All.back().Begin + All.back().Bytes)
      All.back().Bytes =
          std::max<size_t>(All.back().Bytes, End - All.back().Begin);
    else
      All.push_back({"an array", Begin, size_t(End - Begin), true});
  return All;
}

/// Returns the arguments that the kernel has.
std::vector<void *> argumentsOf(const simulate::Program &P,
                                const std::string &Symbol, void **Arguments) {
  for (const simulate::Kernel *K = P.Kernels; K != P.Kernels + P.NumKernels;
       ++K)
    if (Symbol == K->Symbol)
      return std::vector<void *>(Arguments, Arguments + K->Parameters);
  return {};
}

/// Notes how a launch ended.
Code ended(const std::string &Kernel, Status Result) {
  if (Result)
    return Success;
  if (Result.error().kind() == Error::Kind::Rule)
    return note(LaunchFailure, Result.takeError());
  return failed(InvalidConfiguration, symbolName(Kernel),
                Result.error().message());
}

} // namespace

Code cuda::launchSimulated(const void *Stub, Extents Grid, Extents Block,
                           void **Arguments, size_t Shared, void *) {
  const Named Kernel = findKernel(Stub);
  if (!Kernel)
    return failed(InvalidFunction, "?", "it is no kernel.");
  const simulate::Program &P = *Kernel.Of->Simulated;
  std::string Printed;
  simulate::LaunchOptions O;
  const uint32_t Extent[] = {Grid.X, Grid.Y, Grid.Z, Block.X, Block.Y, Block.Z};
  std::copy(Extent, Extent + 3, O.Grid);
  std::copy(Extent + 3, Extent + 6, O.Block);
  O.SharedBytes = Shared;
  O.Printed = &Printed;
  if (P.IsChecked)
    O.Memory = memory();
  Status Result = simulate::launch(P, Kernel.Symbol, O,
                                   argumentsOf(P, Kernel.Symbol, Arguments));
  if (!Printed.empty()) {
    std::fwrite(Printed.data(), 1, Printed.size(), stdout);
    std::fflush(stdout);
  }
  return ended(Kernel.Symbol, std::move(Result));
}

Code cuda::waitSimulated(void *) { return Success; }

void cuda::lendMemory(char *Begin, size_t Bytes) {
  if (!Lent)
    Lent = std::make_unique<Loans>();
  Lent->emplace(Begin, Begin + Bytes);
}

void cuda::takeBackMemory(char *Begin, size_t Bytes) {
  if (!Lent)
    return;
  if (auto Found = Lent->find({Begin, Begin + Bytes}); Found != Lent->end())
    Lent->erase(Found);
  if (Lent->empty())
    Lent.reset();
}
