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

bool Attempt::wait() {
  constexpr std::chrono::milliseconds Interval(50);
  if (!Options.Interrupted)
    return true; // problem() waits.
  while (!Run->ended(Interval))
    if (Options.Interrupted()) {
      Limits.cancel();
      return false;
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

Expected<EngineResult> Attempt::takeResult() {
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
