// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The live code of the process.

#include "CodeRegistry.h"

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
  return Registry.get([] { return new CodeRegistry; });
}

LiveCode CodeRegistry::find(const std::string &Key) {
  LockGuard Guard(Lock);
  auto Found = Table.find(Key);
  return Found == Table.end() ? nullptr : Found->second.lock();
}

Status CodeRegistry::claimThreadLocals(const LoadedCode &Code) {
  for (const std::string &Name : Code.SharedThreadLocals) {
    auto [At, IsNew] = ThreadLocals.try_emplace(Name, &Code);
    if (!IsNew && At->second->Key == Code.Key) {
      At->second = &Code; // The former one is being released.
      continue;
    }
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
