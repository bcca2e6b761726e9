// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver for tests knows.

#include "State.h"

#include <cstdlib>
#include <limits>

using namespace gpu;

long gpu::setting(const char *Name, long Otherwise) {
  const char *Set =
      std::getenv(("CLINCH_TEST_DRIVER_" + std::string(Name)).c_str());
  return Set ? std::atol(Set) : Otherwise;
}

Driver::Driver() {
  for (int I = 0; I < setting("DEVICES", 1); ++I)
    Primary.emplace_back(I, 0, false);
}

Driver &gpu::driver() {
  static auto *D = new Driver; // Outlives whoever calls at exit.
  return *D;
}

std::vector<Context *> &gpu::contexts() {
  thread_local std::vector<Context *> Stack;
  return Stack;
}

static Result stateOf(const Driver &D, Context *C) {
  if (!D.IsInitialized)
    return NotInitialized;
  if (!C)
    return InvalidContext;
  if (!C->IsAlive)
    return ContextIsDestroyed;
  return C->Dead;
}

Call::Call() : Call(contexts().empty() ? nullptr : contexts().back()) {}

Call::Call(Context *Wanted)
    : Lock(driver().Mutex), C(Wanted), Error(stateOf(driver(), Wanted)) {}

void Stream::add(std::function<Result()> Do) {
  Waiting.push_back({++driver().LastNumber, std::move(Do)});
}

void Stream::run(uint64_t Number) {
  while (!Waiting.empty() && Waiting.front().Number <= Number) {
    const Operation Next = std::move(Waiting.front());
    Waiting.pop_front();
    if (this == &Of->Null) {
      for (auto &[Other, _] : Of->Streams)
        if (Other->Waits)
          Other->run(Next.Number - 1);
    } else if (Waits) {
      Of->Null.run(Next.Number - 1);
    }
    const Result Ended = Of->Dead ? Of->Dead : Next.Do();
    if (Ended)
      Of->Dead = Ended;
  }
}

void Context::wait() {
  constexpr uint64_t All = std::numeric_limits<uint64_t>::max();
  Null.run(All);
  for (auto &[Each, _] : Streams)
    Each->run(All);
}

void Context::end() {
  wait();
  IsAlive = false;
  Null.Waiting.clear();
  std::erase_if(driver().Functions,
                [&](const auto &F) { return F.second->Of == this; });
  Streams.clear();
  Events.clear();
  Modules.clear();
  Allocations.clear();
  driver().record("end of context " + std::to_string(Id));
}

Stream *gpu::streamOf(const Call &C, Stream *Handle) {
  // 1 and 2 are CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  if (reinterpret_cast<uintptr_t>(Handle) <= 2)
    return &C->Null;
  return C->Streams.contains(Handle) ? Handle : nullptr;
}

Memory *gpu::findMemory(Context &C, Address At, size_t Bytes) {
  auto After = C.Allocations.upper_bound(At);
  if (After == C.Allocations.begin())
    return nullptr;
  auto &[Begin, Found] = *--After;
  return At - Begin <= Found.Bytes && Bytes <= Found.Bytes - (At - Begin)
             ? &Found
             : nullptr;
}
