// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run a kernel without a device.

#include "Launch.h"

#include "Block.h"
#include "Calls.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <thread>

using namespace clinch;
using namespace clinch::simulate;

static Error refused(const std::string &Message) {
  return Error(Error::Kind::InvalidArgument, Message);
}

static std::string text(const uint32_t D[3]) {
  return "(" + std::to_string(D[0]) + ", " + std::to_string(D[1]) + ", " +
         std::to_string(D[2]) + ")";
}

static Status checkExtents(const Kernel &K, const LaunchOptions &O) {
  constexpr uint64_t MostGrid[] = {0x7fffffff, 65535, 65535};
  constexpr uint64_t MostBlock[] = {1024, 1024, 64};
  for (int I = 0; I < 3; ++I) {
    if (!O.Grid[I] || O.Grid[I] > MostGrid[I])
      return refused("A device refuses the grid " + text(O.Grid) +
                     ": expected 1 to 2147483647, 65535 and 65535 blocks.");
    if (!O.Block[I] || O.Block[I] > MostBlock[I])
      return refused("A device refuses the block " + text(O.Block) +
                     ": expected 1 to 1024, 1024 and 64 threads.");
  }
  const uint64_t Threads = uint64_t(O.Block[0]) * O.Block[1] * O.Block[2];
  const uint32_t Most = K.MaxThreads ? std::min(K.MaxThreads, 1024U) : 1024;
  if (Threads > Most)
    return refused(
        "A device refuses the block " + text(O.Block) + " of " +
        std::to_string(Threads) + " threads: expected at most " +
        std::to_string(Most) +
        (Most < 1024 ? ", as the kernel's launch bounds say." : "."));
  return Status::success();
}

static Status check(const Program &P, const Kernel &K, const LaunchOptions &O,
                    size_t Arguments) {
  CLINCH_TRY(checkExtents(K, O));
  constexpr uint64_t MostStatic = uint64_t(48) << 10;
  if (K.SharedBytes > MostStatic)
    return refused("The kernel `" + std::string(K.Name) + "` has " +
                   std::to_string(K.SharedBytes) +
                   " bytes of shared variables: expected at most 49152, and "
                   "more as dynamic shared memory.");
  if (K.SharedBytes + O.SharedBytes > P.SharedLimit ||
      O.SharedBytes > P.SharedLimit)
    return refused("A device refuses " +
                   std::to_string(K.SharedBytes + O.SharedBytes) +
                   " bytes of shared memory: expected at most " +
                   std::to_string(P.SharedLimit) + ".");
  if (Arguments != K.Parameters)
    return refused("The kernel `" + std::string(K.Name) + "` has " +
                   counted(K.Parameters, "parameter") + ", and is given " +
                   counted(Arguments, "argument") + ".");
  const uint64_t Blocks = uint64_t(O.Grid[0]) * O.Grid[1] * O.Grid[2];
  if (P.IsChecked && Blocks >> (32 - ThreadBits))
    return refused("The checks tell 4194304 blocks apart, and the grid " +
                   text(O.Grid) + " has " + std::to_string(Blocks) + ".");
  return Status::success();
}

static Expected<const Kernel *> find(const Program &P, std::string_view Name) {
  std::string Names;
  for (const Kernel *K = P.Kernels; K != P.Kernels + P.NumKernels; ++K) {
    if (Name == K->Symbol || Name == K->Name)
      return K;
    Names += (Names.empty() ? " `" : ", `") + std::string(K->Name) + "`";
  }
  return refused("There is no kernel `" + std::string(Name) +
                 "`; the program has" + (Names.empty() ? " none" : Names) +
                 ".");
}

/// Runs blocks until there is none left.
static void work(Grid &G, Block &B, uint64_t Blocks) {
  enterBlock(&B);
  for (uint64_t I = G.Next++; I < Blocks && !G.Notes.stopped(); I = G.Next++)
    B.run(I);
  --G.Running;
  enterBlock(nullptr);
}

Status simulate::launch(const Program &P, std::string_view Name,
                        const LaunchOptions &O,
                        const std::vector<void *> &Arguments) {
  CLINCH_TRY_ASSIGN(const Kernel *K, find(P, Name));
  CLINCH_TRY(check(P, *K, O, Arguments.size()));
  Findings Notes(P, *K, O);
  Grid G{Notes, Arguments};
  const uint64_t Blocks = uint64_t(O.Grid[0]) * O.Grid[1] * O.Grid[2];
  const unsigned Most =
      P.IsChecked
          ? 1
          : (O.Workers ? O.Workers : std::thread::hardware_concurrency());
  const auto Workers = static_cast<unsigned>(
      std::clamp<uint64_t>(Most, 1, std::min<uint64_t>(Blocks, 64)));
  std::vector<std::unique_ptr<Block>> Runners;
  for (unsigned I = 0; I < Workers; ++I) {
    Runners.push_back(std::make_unique<Block>(G));
    CLINCH_TRY(Runners.back()->prepare());
  }
  G.Running = Workers;
  std::vector<std::thread> Others;
  for (unsigned I = 1; I < Workers; ++I)
    Others.emplace_back(work, std::ref(G), std::ref(*Runners[I]), Blocks);
  work(G, *Runners[0], Blocks);
  for (std::thread &T : Others)
    T.join();
  return Notes.result();
}
