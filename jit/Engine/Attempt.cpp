//===- Attempt.cpp - A compile that can be left -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attempt.h"

using namespace clinch;
using namespace clinch::engine;

Attempt::Attempt(std::unique_ptr<Worker> Given, const SourceText &Text,
                 const CompileOptions &O, std::shared_ptr<const Plan> P,
                 std::shared_ptr<const PrefixUse> Prefix)
    : W(std::move(Given)), Text(Text), Options(O), P(std::move(P)),
      Prefix(std::move(Prefix)), Limits(O) {
  Run = std::make_unique<GuardedRun>(W->stack(), [this] { work(); });
}

void Attempt::work() {
  Result.emplace(W->compile(Text, Options, P, *Prefix, Limits));
  if (Limits.wasExceeded())
    W->forget();
}

/// It is asked again and again, for it cannot be torn out of everything.
bool Attempt::stopWithin(std::chrono::milliseconds Limit) {
  constexpr std::chrono::milliseconds Pause(2);
  for (auto Tried = Pause; Tried < Limit; Tried += Pause) {
    Run->stop();
    if (Run->ended(Pause))
      return true;
  }
  return false;
}

/// It should have asked long ago whether it may go on; see Budget.h.
bool Attempt::takesTooLong() const {
  std::chrono::milliseconds Limit(Options.TimeLimitMs + 200);
  return Options.TimeLimitMs &&
         std::chrono::steady_clock::now() - Begin > Limit;
}

bool Attempt::wait() {
  constexpr std::chrono::milliseconds Seldom(50), Often(10), Patience(500);
  if (!Options.Interrupted && !Limits.limited())
    return true; // problem() waits.
  while (!Run->ended(Limits.limited() ? Often : Seldom)) {
    if (isOfAParent())
      return false;
    if (Options.Interrupted && Options.Interrupted()) {
      Limits.cancel();
      return false;
    }
    if (takesTooLong()) {
      Overrun = "The compile took longer than its limit of " +
                std::to_string(Options.TimeLimitMs) + " ms.";
      return stopWithin(Patience);
    }
  }
  return true;
}

/// What another tier or processor may not meet.
std::string Attempt::where() const {
  if (!W->generating())
    return {};
  constexpr const char *Tiers[] = {"fast", "default", "max"};
  return std::string(", in the tier `") + Tiers[int(Options.Level)] +
         "` for the processor `" + P->Invocation.getTargetOpts().CPU + "`";
}

Error Attempt::whyLeft() const {
  if (Overrun.empty())
    return Error(ErrorKind::Host, "The compile was interrupted.");
  return Error(ErrorKind::Limit, Overrun);
}

Expected<EngineResult> Attempt::takeResult() {
  if (Run->wasStopped())
    return whyLeft();
  if (std::string Problem = Run->problem(); !Problem.empty())
    return Error(ErrorKind::Crash, "The compiler crashed over this text: " +
                                       Problem + where() + ".");
  if (Limits.wasExceeded())
    return Error(ErrorKind::Limit, Limits.message());
  return std::move(*Result);
}

std::unique_ptr<Worker> Attempt::takeWorker() {
  (void)Run->problem();
  return std::move(W);
}
