// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the simulator.

#include "Images.h"
#include "Runtime.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <cstdio>
#include <set>

using namespace clinch;
using namespace clinch::cuda;

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
