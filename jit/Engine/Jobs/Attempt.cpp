//===- Attempt.cpp - A compile that can be abandoned ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"

using namespace clinch;
using namespace clinch::engine;

Attempt::Attempt(std::unique_ptr<Worker> Given, std::shared_ptr<Preparer> Texts,
                 const SourceText &Text, const CompileOptions &O)
    : W(std::move(Given)), Texts(std::move(Texts)), Text(Text), Options(O) {
  Run = std::make_unique<GuardedRun>(W->stack(),
                                     [this] { Result.emplace(work()); });
}

Attempt::~Attempt() { (void)takeWorker(); }

Expected<EngineResult> Attempt::work() {
  if (const auto Begun = Texts->open(Text, Options)) {
    Expected<EngineResult> Made =
        W->compile(Begun->Text.Text, Begun->Text.Options, Begun->How);
    if (Made && Made->Warnings.empty())
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
