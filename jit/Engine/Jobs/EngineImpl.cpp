//===- EngineImpl.cpp - The engine that the compile core loads -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Engine.h"
#include "../Prefix/Preparer.h"
#include "AbandonedCompiles.h"

#include "llvm/Support/TargetSelect.h"

#include <mutex>

using namespace clinch;
using namespace clinch::engine;

namespace {

class EngineImpl : public Engine {
public:
  explicit EngineImpl(const EngineConfig &Config)
      : PrefixCacheDir(Config.PrefixCacheDir), Texts(Config) {
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  }

  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O) override {
    CLINCH_TRY_ASSIGN(Prepared Ready, Texts.prepare(O));
    std::unique_ptr<Worker> W = takeWorker();
    if (!W->stack())
      return Error(Error::Kind::Limit,
                   "There is no memory for a compile's stack.");
    auto A =
        std::make_unique<Attempt>(std::move(W), Text, O, Ready.P, Ready.Use);
    if (!A->wait()) {
      Error Why = A->whyAbandoned();
      AbandonedCompiles::process().add(this, std::move(A));
      return Why;
    }
    Expected<EngineResult> R = A->takeResult();
    giveBack(*A);
    return R;
  }

  ~EngineImpl() override { AbandonedCompiles::process().takeAll(this); }

private:
  std::unique_ptr<Worker> takeWorker() {
    for (const std::unique_ptr<Attempt> &A :
         AbandonedCompiles::process().takeEnded(this))
      giveBack(*A);
    std::lock_guard<std::mutex> Guard(Lock);
    if (Idle.empty())
      return std::make_unique<Worker>(PrefixCacheDir);
    std::unique_ptr<Worker> W = std::move(Idle.back());
    Idle.pop_back();
    return W;
  }

  void giveBack(Attempt &A) {
    bool Usable = !A.crashed();
    std::lock_guard<std::mutex> Guard(Lock);
    if (Usable)
      Idle.push_back(A.takeWorker());
    else
      Crashed.push_back(A.takeWorker().release()); // In an unknown state.
  }

  std::string PrefixCacheDir;
  Preparer Texts;
  std::mutex Lock;
  std::vector<std::unique_ptr<Worker>> Idle;
  std::vector<Worker *> Crashed; ///< Never deleted.
};

} // namespace

extern "C" __attribute__((visibility("default"))) Engine *
clinch_engine_create(const EngineConfig &Config) {
  return new EngineImpl(Config);
}
