//===- Attempt.cpp - A compile that can be abandoned ------------*- C++ -*-===//
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
  // Leaves room for a compile to end in good order at its own limit.
  constexpr size_t Above = size_t(16) << 20;
  if (Limits.limited())
    Watch.emplace(Limits,
                  O.MemoryLimit ? O.MemoryLimit + Above : size_t(PTRDIFF_MAX));
  Run = std::make_unique<GuardedRun>(W->stack(), [this] { work(); });
}

/// Leaks a worker that crashed, since its state is unknown.
Attempt::~Attempt() {
  if (W && Run && Run->crashed())
    (void)W.release(); // NOLINT(bugprone-unused-return-value)
}

void Attempt::work() {
  if (Watch)
    Watch->begin();
  Result.emplace(W->compile(Text, Options, P, *Prefix, Limits));
  if (Watch)
    Watch->end();
  if (Limits.wasExceeded())
    W->forget();
}

bool Attempt::wait() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds Interval(50), Grace(400);
  if (!Options.Interrupted && !Options.TimeLimitMs)
    return true; // problem() waits.
  const auto End =
      Clock::now() + std::chrono::milliseconds(Options.TimeLimitMs) + Grace;
  while (!Run->ended(Interval)) {
    Overran = Options.TimeLimitMs && Clock::now() > End;
    if (!Overran && !(Options.Interrupted && Options.Interrupted()))
      continue;
    Limits.cancel();
    return false;
  }
  return true;
}

Error Attempt::whyAbandoned() const {
  if (Overran)
    return Error(Error::Kind::Limit,
                 "The compile took longer than its limit of " +
                     std::to_string(Options.TimeLimitMs) + " ms.");
  return Error(Error::Kind::Host, "The compile was interrupted.");
}

/// Names the tier and processor: others may not crash.
std::string Attempt::where() const {
  if (!W->generating())
    return {};
  constexpr const char *Tiers[] = {"fast", "default", "max"};
  return std::string(", in the tier `") + Tiers[int(Options.Level)] +
         "` for the processor `" + P->Invocation.getTargetOpts().CPU + "`";
}

Expected<EngineResult> Attempt::takeResult() {
  std::string Problem = Run->problem();
  if (Limits.wasExceeded())
    return Error(Error::Kind::Limit, Limits.message());
  if (!Problem.empty())
    return errorOf(Problem + where(), "The compiler crashed over this text");
  return std::move(*Result);
}

std::unique_ptr<Worker> Attempt::takeWorker() {
  Run->join();
  return std::move(W);
}
