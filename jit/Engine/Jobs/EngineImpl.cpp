// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine that the compile core loads.

#include "../AtFork.h"
#include "../Backend/VectorWidth.h"
#include "../Engine.h"
#include "Attempt.h"

#include "llvm/Support/TargetSelect.h"

#include <atomic>
#include <mutex>
#include <vector>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Compiles whose callers were interrupted. They go on to their end, which may
/// be that of the process, and use nothing of the engine.
class AbandonedCompiles {
public:
  /// Never destroyed, since some may still run when the process ends.
  static AbandonedCompiles &process() {
    static constinit std::atomic<AbandonedCompiles *> Made{nullptr};
    if (AbandonedCompiles *Known = Made)
      return *Known;
    auto Mine = std::make_unique<AbandonedCompiles>();
    AbandonedCompiles *Expected = nullptr;
    if (Made.compare_exchange_strong(Expected, Mine.get()))
      return *Mine.release();
    return *Expected;
  }

  void add(std::unique_ptr<Attempt> A) {
    std::lock_guard<std::mutex> Guard(Lock);
    Left.push_back(std::move(A));
  }
  void deleteEnded() {
    std::lock_guard<std::mutex> Guard(Lock);
    std::erase_if(Left, [](const auto &A) { return A->ended(); });
  }
  /// A child that lacks the thread of one does not enter its engine any more.
  void atFork(ForkStep Step) {
    if (Step == ForkStep::Before)
      Lock.lock();
    else
      Lock.unlock();
  }

private:
  std::mutex Lock;
  std::vector<std::unique_ptr<Attempt>> Left;
};

class EngineImpl : public Engine {
public:
  explicit EngineImpl(const EngineConfig &Config)
      : PrefixCacheDir(Config.PrefixCacheDir),
        Texts(std::make_shared<Preparer>(Config)) {
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    leaveRestsToScalars();
  }

  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override {
    AbandonedCompiles::process().deleteEnded();
    auto A = std::make_unique<Attempt>(takeWorker(), Texts, Text, O);
    const Attempt::Outcome How = A->wait();
    if (How == Attempt::Outcome::Ended) {
      Expected<EngineResult> Result = A->takeResult();
      giveBack(A->takeWorker());
      if (Result)
        Result->PrefixBytes = Texts->takeWritten();
      return Result;
    }
    AbandonedCompiles::process().add(std::move(A));
    if (How == Attempt::Outcome::Lost)
      return EngineResult();
    return Error(Error::Kind::Host, "The compile was interrupted.");
  }

  bool isUsable() const override { return !crashes(); }

private:
  std::unique_ptr<Worker> takeWorker() {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Idle.empty())
      return std::make_unique<Worker>(PrefixCacheDir);
    std::unique_ptr<Worker> W = std::move(Idle.back());
    Idle.pop_back();
    return W;
  }

  /// A worker that is too many is destroyed, after the lock.
  void giveBack(std::unique_ptr<Worker> W) {
    constexpr size_t MostIdle = 8;
    std::lock_guard<std::mutex> Guard(Lock);
    if (W && Idle.size() < MostIdle)
      Idle.push_back(std::move(W));
  }

  const std::string PrefixCacheDir;
  const std::shared_ptr<Preparer> Texts;
  std::mutex Lock;
  std::vector<std::unique_ptr<Worker>> Idle;
};

} // namespace

extern "C" __attribute__((visibility("default"))) bool
clinch_engine_at_fork(ForkStep Step) {
  AbandonedCompiles::process().atFork(Step);
  return guardAtFork(Step);
}

extern "C" __attribute__((visibility("default"))) Engine *
clinch_engine_create(const EngineConfig &Config) {
  return new EngineImpl(Config);
}
