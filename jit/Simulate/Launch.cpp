// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run a kernel without a device.

#include "Launch.h"

#include "Block.h"
#include "Calls.h"
#include "lib/Support/Text.h"

#include <algorithm>
#include <pthread.h>
#include <unistd.h>

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
static void *work(void *Runner) {
  Block &B = *static_cast<Block *>(Runner);
  Grid &G = B.G;
  enterBlock(&B);
  for (uint64_t I = G.Next++; I < G.Blocks && !G.Notes.stopped(); I = G.Next++)
    B.run(I);
  enterBlock(nullptr);
  const std::lock_guard<std::mutex> Lock(G.Mutex);
  --G.Running;
  G.Ended.notify_all();
  return nullptr;
}

/// Returns a runner for each worker: fewer than \p Most if memory is short.
static Expected<std::vector<std::unique_ptr<Block>>> makeRunners(Grid &G,
                                                                 size_t Most) {
  std::vector<std::unique_ptr<Block>> Runners;
  while (Runners.size() < Most) {
    auto B = std::make_unique<Block>(G, /*Asks=*/Runners.empty());
    if (Status Ready = B->prepare(); !Ready) {
      if (Runners.empty())
        return Ready.error();
      break;
    }
    Runners.push_back(std::move(B));
  }
  return Runners;
}

/// Runs all blocks: on this thread, and on as many others as can be made.
static void runAll(Grid &G,
                   const std::vector<std::unique_ptr<Block>> &Runners) {
  G.Running = static_cast<unsigned>(Runners.size());
  std::vector<pthread_t> Others;
  Others.reserve(Runners.size());
  for (size_t I = 1; I < Runners.size(); ++I) {
    pthread_t Id;
    if (pthread_create(&Id, nullptr, work, Runners[I].get()) == 0)
      Others.push_back(Id);
    else
      --G.Running;
  }
  work(Runners[0].get());
  std::unique_lock<std::mutex> Lock(G.Mutex);
  while (!G.Ended.wait_for(Lock, AskAfter, [&] { return !G.Running; }))
    if (!G.Notes.stopped() && G.Notes.O.Interrupted && G.Notes.O.Interrupted())
      G.Notes.interrupt();
  Lock.unlock();
  for (const pthread_t Id : Others)
    pthread_join(Id, nullptr);
}

Status simulate::launch(const Program &P, std::string_view Name,
                        const LaunchOptions &O,
                        const std::vector<void *> &Arguments) {
  CLINCH_TRY_ASSIGN(const Kernel *K, find(P, Name));
  CLINCH_TRY(check(P, *K, O, Arguments.size()));
  Findings Notes(P, *K, O);
  Grid G{Notes, Arguments, uint64_t(O.Grid[0]) * O.Grid[1] * O.Grid[2]};
  const auto Most = static_cast<uint64_t>(
      P.IsChecked ? 1
                  : (O.Workers ? O.Workers : sysconf(_SC_NPROCESSORS_ONLN)));
  CLINCH_TRY_ASSIGN(
      const auto Runners,
      makeRunners(
          G, std::clamp<uint64_t>(Most, 1, std::min<uint64_t>(G.Blocks, 64))));
  runAll(G, Runners);
  return Notes.result();
}
