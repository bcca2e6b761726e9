// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compile that can be abandoned.

#include "Attempt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

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
