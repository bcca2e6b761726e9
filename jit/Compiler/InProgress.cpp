// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work that one thread does while other threads wait for it.

#include "InProgress.h"

#include <chrono>
#include <new>
#include <utility>

using namespace clinch;

InProgress &InProgress::process() {
  static constinit ForProcess<InProgress> Only;
  static constexpr ForkSteps Steps = {nullptr, nullptr, beginAnew};
  return Only.get([] {
    onFork(ProcessLock::InProgress, Steps);
    return new InProgress;
  });
}

/// The child of a fork has none of the other threads: what they were doing
/// would never finish. Whoever waited still shares it, so that no condition
/// variable is destroyed while it has waiters, which may hang.
void InProgress::beginAnew() {
  InProgress &P = process();
  P.Waiting.clear();
  std::erase_if(P.All, [](const auto &Each) {
    return Each.second->Leader != std::this_thread::get_id();
  });
  for (auto &[Key, W] : P.All)
    new (&W->Done) std::condition_variable;
}

bool InProgress::needsThisThread(const Work *W) const {
  while (!W->Result && W->Leader != std::this_thread::get_id()) {
    auto Next = Waiting.find(W->Leader);
    if (Next == Waiting.end())
      return false;
    W = Next->second;
  }
  return !W->Result;
}

std::optional<InProgress::Outcome>
InProgress::waitOrLead(const std::string &Key,
                       const std::function<bool()> &Interrupted) {
  std::unique_lock<std::mutex> Guard(Lock);
  std::shared_ptr<Work> &Slot = All[Key];
  if (!Slot) {
    Slot = std::make_shared<Work>();
    return std::nullopt;
  }
  std::shared_ptr<Work> W = Slot;
  if (needsThisThread(W.get()))
    return Outcome{.NeedsCaller = true};
  const std::thread::id Me = std::this_thread::get_id();
  while (!W->Result) {
    Waiting[Me] = W.get();
    if (Interrupted)
      W->Done.wait_for(Guard, std::chrono::milliseconds(50));
    else
      W->Done.wait(Guard);
    Waiting.erase(Me);
    if (W->Result || !Interrupted)
      continue;
    Guard.unlock();
    if (Interrupted()) // Runs signal handlers, which may compile.
      return Outcome{.LeftWaiting = true};
    Guard.lock();
    if (needsThisThread(W.get()))
      return Outcome{.NeedsCaller = true};
  }
  return W->Result;
}

void InProgress::finish(const std::string &Key, std::optional<Error> Failure) {
  LockGuard Guard(Lock);
  auto Found = All.find(Key);
  if (Found == All.end())
    return;
  std::shared_ptr<Work> W = std::move(Found->second);
  All.erase(Found);
  W->Result = Outcome{.Failure = std::move(Failure)};
  W->Done.notify_all();
}
