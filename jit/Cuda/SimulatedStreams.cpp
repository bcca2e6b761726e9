// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that run all at once.

#include "Streams.h"
#include "lib/Support/Forks.h"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

using namespace clinch;
using namespace clinch::cuda;

namespace {
using Time = std::chrono::steady_clock::time_point;

/// A stream, or an event and when it was recorded.
struct Handle {
  bool IsEvent;
  std::optional<Time> When;
};
using Handles = std::map<void *, std::unique_ptr<Handle>>;
constinit ForProcess<Handles> AllHandles;

constexpr Code InvalidHandle = 400;

/// Calls \p Do with all handles, while no other thread has them.
template <typename Action> auto withHandles(Action Do) {
  Handles &All = AllHandles.get([] { return new Handles; });
  LockGuard Guard(lockOf(ProcessLock::DeviceCode));
  return Do(All);
}

/// Returns null if it is none, or of the other kind.
Handle *find(const Handles &All, void *Given, bool IsEvent) {
  auto Found = All.find(Given);
  return Found != All.end() && Found->second->IsEvent == IsEvent
             ? Found->second.get()
             : nullptr;
}

Code notOf(const char *Called, bool IsEvent) {
  return note(InvalidHandle, std::string("`") + Called +
                                 "` failed: it is given no " +
                                 (IsEvent ? "event" : "stream") +
                                 ", or one that was destroyed.");
}

Code make(void **Made, bool IsEvent) {
  auto New = std::make_unique<Handle>(Handle{IsEvent, std::nullopt});
  *Made = New.get();
  withHandles([&](Handles &All) { return All.emplace(*Made, std::move(New)); });
  return Success;
}

bool exists(void *Given, bool IsEvent) {
  return withHandles(
      [&](Handles &All) { return find(All, Given, IsEvent) != nullptr; });
}

Code remove(const char *Called, void *Given, bool IsEvent) {
  const bool Was = withHandles([&](Handles &All) {
    return find(All, Given, IsEvent) && All.erase(Given);
  });
  return Was ? Success : notOf(Called, IsEvent);
}

Code create(void **Made) { return make(Made, false); }

Code destroy(void *Stream) {
  return remove("cudaStreamDestroy", Stream, false);
}

Code synchronize(void *Stream) {
  return !Stream || exists(Stream, false)
             ? Success
             : notOf("cudaStreamSynchronize", false);
}

Code createEvent(void **Made) { return make(Made, true); }

Code destroyEvent(void *Event) {
  return remove("cudaEventDestroy", Event, true);
}

Code record(void *Event, void *Stream) {
  if (Stream && !exists(Stream, false))
    return notOf("cudaEventRecord", false);
  const bool Is = withHandles([&](Handles &All) {
    Handle *E = find(All, Event, true);
    if (E)
      E->When = std::chrono::steady_clock::now();
    return E != nullptr;
  });
  return Is ? Success : notOf("cudaEventRecord", true);
}

Code synchronizeEvent(void *Event) {
  return exists(Event, true) ? Success : notOf("cudaEventSynchronize", true);
}

Code elapsed(float *Milliseconds, void *From, void *To) {
  std::optional<Time> Begin, End;
  const bool Are = withHandles([&](Handles &All) {
    const Handle *First = find(All, From, true), *Last = find(All, To, true);
    if (First && Last)
      std::tie(Begin, End) = std::tie(First->When, Last->When);
    return First && Last;
  });
  if (!Are || !Begin || !End)
    return note(InvalidHandle,
                "`cudaEventElapsedTime` failed: it is given what is no event, "
                "or was not recorded.");
  *Milliseconds =
      std::chrono::duration<float, std::milli>(*End - *Begin).count();
  return Success;
}
} // namespace

const Streams cuda::SimulatedStreams = {
    create,       destroy, synchronize,      createEvent,
    destroyEvent, record,  synchronizeEvent, elapsed};
