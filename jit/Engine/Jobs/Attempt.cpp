// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine: its workers, and compiles that a crash ends.

#include "Attempt.h"
#include "../AtFork.h"
#include "../Backend/VectorWidth.h"
#include "../Engine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <mutex>
#include <vector>

using namespace clinch;
using namespace clinch::engine;

namespace {
/// LLVM's profiler of this thread, if the compile is to be traced.
class Profiler {
public:
  explicit Profiler(const CompileOptions &O)
      : IsOn(llvm::is_contained(O.Keep, Stage::Trace)) {
    constexpr unsigned ShortestUs = 10;
    if (IsOn)
      llvm::timeTraceProfilerInitialize(ShortestUs, "clinch");
  }
  ~Profiler() {
    if (IsOn)
      llvm::timeTraceProfilerCleanup();
  }
  Profiler(const Profiler &) = delete;
  Profiler &operator=(const Profiler &) = delete;

  void write(EngineResult &To) const {
    if (!IsOn)
      return;
    llvm::SmallString<0> Json;
    llvm::raw_svector_ostream OS(Json);
    llvm::timeTraceProfilerWrite(OS);
    To.Kept.emplace_back(Stage::Trace, Json.str().str());
  }

private:
  const bool IsOn;
};
} // namespace

Attempt::Attempt(std::unique_ptr<Worker> Given, std::shared_ptr<Preparer> Texts,
                 const SourceText &Text, const CompileOptions &O)
    : W(std::move(Given)), Texts(std::move(Texts)), Text(Text), Options(O) {
  Run = std::make_unique<GuardedRun>(W->stack(),
                                     [this] { Result.emplace(work()); });
}

Attempt::~Attempt() { (void)takeWorker(); }

Expected<EngineResult> Attempt::work() {
  const Profiler Times(Options);
  Expected<EngineResult> Made = compile();
  if (Made)
    Times.write(*Made);
  return Made;
}

Expected<EngineResult> Attempt::compile() {
  if (const auto Begun = Texts->open(Text, Options)) {
    Expected<EngineResult> Made =
        W->compile(Begun->Text.Text, Begun->Text.Options, Begun->How,
                   /*OnlyIfSilent=*/true);
    if (Made && Made->Warnings.size() == Begun->How->Warnings.size())
      return Made;
  }
  CLINCH_TRY_ASSIGN(auto P, Texts->prepare(Options));
  return W->compile(Text, Options, P);
}

Attempt::Outcome Attempt::wait() {
  constexpr std::chrono::milliseconds Interval(50);
  const unsigned Before = crashes();
  while (!Run->ended(Interval)) {
    if (Options.Interrupted && Options.Interrupted())
      return Outcome::Interrupted;
    if (crashes() != Before && !ended())
      return Outcome::Lost;
  }
  return Outcome::Ended;
}

Expected<EngineResult> Attempt::takeResult() {
  CLINCH_TRY(Run->result());
  return std::move(*Result);
}

std::unique_ptr<Worker> Attempt::takeWorker() {
  if (!Run || Run->worked())
    return std::move(W);
  (void)W.release(); // NOLINT(bugprone-unused-return-value)
  return nullptr;
}

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

// A compile that was left may still run when the process ends, and use LLVM's
// static objects. So their destructors are not registered: within this library
// this stands for the function that does so.

// NOLINTBEGIN(bugprone-reserved-identifier): the C++ ABI's name
extern "C" __attribute__((visibility("hidden"))) int
__cxa_atexit(void (*)(void *), void *, void *) {
  return 0;
}
// NOLINTEND(bugprone-reserved-identifier)
