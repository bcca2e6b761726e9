//===- EngineImpl.cpp - The engine that the compile core loads -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Engine.h"
#include "../Prefix/Preparer.h"
#include "../Survival/Allocations.h"
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
                   "Out of memory: there is none for a compile's stack.");
    auto A =
        std::make_unique<Attempt>(std::move(W), Text, O, Ready.P, Ready.Use);
    const Returning Guard{*this, A};
    if (!A->wait()) {
      Error Why = A->whyAbandoned();
      AbandonedCompiles::process().add(this, std::move(A));
      return Why;
    }
    return A->takeResult();
  }

  bool isUsable() const override { return !isLockedForGood(); }

  ~EngineImpl() override { AbandonedCompiles::process().takeAll(this); }

private:
  /// Gives the worker of a compile back when it has ended.
  struct Returning {
    EngineImpl &To;
    const std::unique_ptr<Attempt> &A;
    ~Returning() {
      if (A)
        To.giveBack(*A);
    }
  };

  std::unique_ptr<Worker> takeWorker() {
    for (const std::unique_ptr<Attempt> &A :
         AbandonedCompiles::process().takeEnded(this))
      giveBack(*A);
    std::lock_guard<std::mutex> Guard(Lock);
    if (!Idle)
      return std::make_unique<Worker>(PrefixCacheDir);
    std::unique_ptr<Worker> W = std::move(Idle);
    Idle = std::move(W->Next);
    return W;
  }

  void giveBack(Attempt &A) noexcept {
    const bool Usable = !A.crashed();
    std::unique_ptr<Worker> W = A.takeWorker();
    std::lock_guard<std::mutex> Guard(Lock);
    if (Usable) {
      W->Next = std::move(Idle);
      Idle = std::move(W);
    } else { // In an unknown state.
      W->Next.reset(Crashed);
      Crashed = W.release();
    }
  }

  std::string PrefixCacheDir;
  Preparer Texts;
  std::mutex Lock;
  std::unique_ptr<Worker> Idle;
  Worker *Crashed = nullptr; ///< Never deleted.
};

} // namespace

extern "C" __attribute__((visibility("default"))) Engine *
clinch_engine_create(const EngineConfig &Config) {
  AllocationWatch::endLoading();
  Engine *Made = nullptr;
  CompileStack Stack;
  if (Stack)
    GuardedRun(Stack, [&] { Made = new EngineImpl(Config); }).join();
  return Made;
}
