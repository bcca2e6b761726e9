//===- EngineImpl.cpp - The engine that the compile core loads -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "HeaderArchive.h"
#include "Plan.h"
#include "Prefix/PrefixStore.h"
#include "Worker.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace clinch;
using namespace clinch::engine;

extern "C" const char ClinchPrefixBegin[], ClinchPrefixEnd[];

namespace {

class EngineImpl : public Engine {
public:
  explicit EngineImpl(const EngineConfig &Config)
      : Config(Config),
        Baked(std::string_view(ClinchPrefixBegin,
                               ClinchPrefixEnd - ClinchPrefixBegin)),
        Plans(Baked, Config.PythonIncludeDirs), Prefixes(Baked, Plans, Config) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  }

  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override {
    Expected<std::shared_ptr<const Plan>> P = Plans.plan(O);
    if (!P)
      return P.takeError();
    Expected<std::shared_ptr<const PrefixUse>> Use = Prefixes.get(O, **P);
    if (!Use)
      return Use.takeError();
    std::unique_ptr<Worker> W = takeWorker();
    Expected<EngineResult> R = W->compile(Text, O, **P, **Use);
    giveBack(std::move(W));
    return R;
  }

private:
  std::unique_ptr<Worker> takeWorker() {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Idle.empty())
      return std::make_unique<Worker>(Config.PrefixCacheDir);
    std::unique_ptr<Worker> W = std::move(Idle.back());
    Idle.pop_back();
    return W;
  }

  void giveBack(std::unique_ptr<Worker> W) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (W->usable())
      Idle.push_back(std::move(W));
    else
      Crashed.push_back(W.release()); // What crashed may hold anything.
  }

  EngineConfig Config;
  HeaderArchive Baked;
  Planner Plans;
  PrefixStore Prefixes;
  std::mutex Lock;
  std::vector<std::unique_ptr<Worker>> Idle;
  std::vector<Worker *> Crashed; ///< Never deleted.
};

} // namespace

extern "C" __attribute__((visibility("default"))) Engine *
clinch_engine_create(const EngineConfig &Config) {
  return new EngineImpl(Config);
}
