// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live code of the process.

#include "CodeRegistry.h"

#include <chrono>
#include <utility>

using namespace clinch;

const std::string *clinch::stageIn(const EngineResult &R, Stage S) {
  for (const auto &[Name, Text] : R.Kept)
    if (Name == S)
      return &Text;
  return nullptr;
}

CodeRegistry &CodeRegistry::process() {
  static constinit ForProcess<CodeRegistry> Registry;
  static constexpr ForkSteps Steps = {nullptr, nullptr, beginAnew};
  return Registry.get([] {
    onFork(ProcessLock::Code, Steps);
    return new CodeRegistry;
  });
}

/// A forked child has none of the threads that were compiling: nothing that is
/// in progress would finish. Leaks it: destroying a condition variable may
/// hang.
void CodeRegistry::beginAnew() {
  CodeRegistry &R = process();
  auto Left = std::make_unique<PendingByKey>(std::exchange(R.InProgress, {}));
  (void)Left.release(); // NOLINT(bugprone-unused-return-value)
}

LiveCode CodeRegistry::find(const std::string &Key) {
  LockGuard Guard(Lock);
  auto Found = Table.find(Key);
  return Found == Table.end() ? nullptr : Found->second.lock();
}

std::optional<CodeRegistry::Outcome>
CodeRegistry::waitOrLead(const std::string &Key,
                         const std::function<bool()> &Interrupted) {
  std::shared_ptr<Pending> P; // Destroyed after unlocking: it may free code.
  std::unique_lock<std::mutex> Guard(Lock);
  std::shared_ptr<Pending> &Slot = InProgress[Key];
  if (!Slot) {
    Slot = std::make_shared<Pending>();
    return std::nullopt;
  }
  P = Slot;
  if (P->Leader == std::this_thread::get_id())
    return Outcome{nullptr,
                   Error(Error::Kind::Link,
                         "This text compiles itself while it is being loaded: "
                         "expected its initialisers to compile other texts."),
                   /*LeftWaiting=*/false};
  auto IsDone = [&] { return P->Result.has_value(); };
  if (!Interrupted)
    P->Done.wait(Guard, IsDone);
  while (!P->Done.wait_for(Guard, std::chrono::milliseconds(50), IsDone)) {
    Guard.unlock();
    bool Leave = Interrupted();
    Guard.lock();
    if (Leave)
      return Outcome{nullptr, std::nullopt, /*LeftWaiting=*/true};
  }
  return P->Result;
}

void CodeRegistry::finish(const std::string &Key, Outcome O) {
  std::shared_ptr<Pending> P; // As above.
  LockGuard Guard(Lock);
  auto Found = InProgress.find(Key);
  if (Found == InProgress.end())
    return;
  P = std::move(Found->second);
  InProgress.erase(Found);
  P->Result = std::move(O);
  P->Done.notify_all();
}

Status CodeRegistry::claimThreadLocals(const LoadedCode &Code) {
  for (const std::string &Name : Code.SharedThreadLocals) {
    auto [At, IsNew] = ThreadLocals.try_emplace(Name, &Code);
    if (!IsNew)
      return Error(Error::Kind::Link,
                   "The texts `" + At->second->Text + "` and `" + Code.Text +
                       "` both define the thread-local variable `" + Name +
                       "`, which C++ has once for a program, and are compiled "
                       "apart: each would have its own. Expected one text, "
                       "one that is linked with the objects of others, or a "
                       "`static` variable in each.");
  }
  return {};
}

Expected<LiveCode> CodeRegistry::publish(std::shared_ptr<LoadedCode> Code) {
  {
    LockGuard Guard(Lock);
    ++Modules;
    Bytes += Code->Bytes;
  }
  const LoadedCode *At = Code.get();
  LiveCode Live(At, [Code = std::move(Code)](const LoadedCode *) {
    process().leave(*Code);
  });
  LockGuard Guard(Lock);
  CLINCH_TRY(claimThreadLocals(*Live));
  Table[Live->Key] = Live;
  return Live;
}

void CodeRegistry::leave(const LoadedCode &Code) {
  LockGuard Guard(Lock);
  --Modules;
  Bytes -= Code.Bytes;
  for (const std::string &Name : Code.SharedThreadLocals)
    if (auto At = ThreadLocals.find(Name);
        At != ThreadLocals.end() && At->second == &Code)
      ThreadLocals.erase(At);
  // The key may refer to another copy by now.
  auto Found = Table.find(Code.Key);
  if (Found != Table.end() && Found->second.expired())
    Table.erase(Found);
}

size_t CodeRegistry::liveModules() const {
  LockGuard Guard(Lock);
  return Modules;
}

size_t CodeRegistry::liveBytes() const {
  LockGuard Guard(Lock);
  return Bytes;
}
