//===- EngineImpl.cpp - The engine that the compile core loads -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Engine.h"
#include "AbandonedCompiles.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>
#include <vector>

using namespace clinch;
using namespace clinch::engine;

namespace {

class EngineImpl : public Engine {
public:
  explicit EngineImpl(const EngineConfig &Config)
      : PrefixCacheDir(Config.PrefixCacheDir),
        Texts(std::make_shared<Preparer>(Config)) {
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  }

  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override {
    AbandonedCompiles::process().deleteEnded();
    auto A = std::make_unique<Attempt>(takeWorker(), Texts, Text, O);
    const Attempt::Outcome How = A->wait();
    if (How == Attempt::Outcome::Ended) {
      Expected<EngineResult> Result = A->takeResult();
      giveBack(A->takeWorker());
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

  void giveBack(std::unique_ptr<Worker> W) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (W)
      Idle.push_back(std::move(W));
  }

  const std::string PrefixCacheDir;
  const std::shared_ptr<Preparer> Texts;
  std::mutex Lock;
  std::vector<std::unique_ptr<Worker>> Idle;
};

} // namespace

extern "C" __attribute__((visibility("default"))) Engine *
clinch_engine_create(const EngineConfig &Config) {
  return new EngineImpl(Config);
}
