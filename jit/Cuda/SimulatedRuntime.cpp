// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the simulator.

#include "Images.h"
#include "Runtime.h"
#include "lib/Support/Forks.h"
#include "lib/Support/SymbolName.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace clinch;
using namespace clinch::cuda;

namespace {
/// What was allocated and not freed.
using Blocks = std::map<char *, size_t>;
constinit ForProcess<Blocks> AllBlocks;

Blocks &blocks() {
  return AllBlocks.get([] { return new Blocks; });
}

thread_local std::unique_ptr<std::vector<simulate::Allocation>> Given;

/// From where to where, in order.
using Loans = std::multiset<std::pair<char *, char *>>;
thread_local std::unique_ptr<Loans> Lent;

/// Adds what is lent, of which some may overlap.
void addLoans(std::vector<simulate::Allocation> &All) {
  const size_t First = All.size();
  for (const auto &[Begin, End] : *Lent) {
    if (All.size() > First && Begin <= All.back().Begin + All.back().Bytes)
      All.back().Bytes =
          std::max<size_t>(All.back().Bytes, End - All.back().Begin);
    else
      All.push_back({"an array", Begin, size_t(End - Begin), true});
  }
}

/// What a kernel may use that this thread launches.
std::vector<simulate::Allocation> memory() {
  std::vector<simulate::Allocation> All;
  if (Given)
    All = *Given;
  if (Lent)
    addLoans(All);
  const Blocks &Known = blocks();
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  for (const auto &[Begin, Bytes] : Known)
    All.push_back({"memory of cudaMalloc", Begin, Bytes, true});
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

Code launch(const void *Stub, Extents Grid, Extents Block, void **Arguments,
            size_t Shared, void *) {
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

Code allocate(void **Result, size_t Bytes) {
  *Result = nullptr;
  if (!Bytes)
    return Success;
  // As far from others as on a device, and as arbitrary.
  constexpr size_t Alignment = 256;
  constexpr int Arbitrary = 0xcb;
  const size_t Whole = (Bytes + Alignment - 1) / Alignment * Alignment;
  auto *Begin = Whole < Bytes
                    ? nullptr
                    : static_cast<char *>(std::aligned_alloc(Alignment, Whole));
  if (!Begin)
    return note(OutOfMemory, "`cudaMalloc` failed: there are no " +
                                 std::to_string(Bytes) + " bytes.");
  std::memset(Begin, Arbitrary, Bytes);
  Blocks &Known = blocks();
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  Known.emplace(Begin, Bytes);
  *Result = Begin;
  return Success;
}

Code release(void *Memory) {
  if (!Memory)
    return Success;
  Blocks &Known = blocks();
  {
    LockGuard Guard(lockOf(ProcessLock::DeviceCode));
    if (Known.erase(static_cast<char *>(Memory))) {
      std::free(Memory);
      return Success;
    }
  }
  return note(InvalidValue, "`cudaFree` failed: it is given what `cudaMalloc` "
                            "did not return, or what was freed.");
}

Code copy(void *To, const void *From, size_t Bytes, int) {
  if (Bytes)
    std::memmove(To, From, Bytes);
  return Success;
}

Code copyAsync(void *To, const void *From, size_t Bytes, int Kind, void *) {
  return copy(To, From, Bytes, Kind);
}

Code set(void *Memory, int Byte, size_t Bytes) {
  if (Bytes)
    std::memset(Memory, Byte, Bytes);
  return Success;
}

Code setAsync(void *Memory, int Byte, size_t Bytes, void *) {
  return set(Memory, Byte, Bytes);
}

/// Returns null, with a problem, if there is no such variable.
char *addressOf(const void *Shadow, size_t Bytes, size_t Offset) {
  const Named Found = findVariable(Shadow);
  if (!Found) {
    note(InvalidSymbol, "It is no variable of a device.");
    return nullptr;
  }
  const simulate::Program &P = *Found.Of->Simulated;
  const std::string Name = symbolName(Found.Symbol);
  for (const simulate::Variable *V = P.Variables;
       V != P.Variables + P.NumVariables; ++V)
    if (!V->IsShared && Name == V->Name && Offset <= V->Bytes &&
        Bytes <= V->Bytes - Offset)
      return V->Address + Offset;
  note(InvalidSymbol, "`" + Name + "` has less than " + std::to_string(Bytes) +
                          " bytes from " + std::to_string(Offset) +
                          " on, or no kernel uses it.");
  return nullptr;
}

Code copyToSymbol(const void *Symbol, const void *From, size_t Bytes,
                  size_t Offset, int Kind) {
  char *To = addressOf(Symbol, Bytes, Offset);
  return To ? copy(To, From, Bytes, Kind) : lastProblem();
}

Code copyFromSymbol(void *To, const void *Symbol, size_t Bytes, size_t Offset,
                    int Kind) {
  const char *From = addressOf(Symbol, Bytes, Offset);
  return From ? copy(To, From, Bytes, Kind) : lastProblem();
}

Code synchronize() { return Success; }
} // namespace

const Runtime cuda::Simulated = {
    launch, allocate, release,      copy,           copyAsync,
    set,    setAsync, copyToSymbol, copyFromSymbol, synchronize};

void cuda::giveMemory(std::vector<simulate::Allocation> Memory) {
  if (Memory.empty())
    Given.reset();
  else
    Given =
        std::make_unique<std::vector<simulate::Allocation>>(std::move(Memory));
}

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
