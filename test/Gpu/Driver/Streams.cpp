// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events.

#include "State.h"

#include <limits>

using namespace gpu;

/// Does what is next, as time passes on a device; returns whether all is done.
static Result advance(Stream &S, uint64_t Number) {
  if (!S.Waiting.empty() && S.Waiting.front().Number <= Number) {
    S.run(S.Waiting.front().Number);
    return S.Of->Dead ? S.Of->Dead : NotReady;
  }
  return S.Of->Dead;
}

static Result make(Stream **Made, unsigned Flags) {
  const Call C;
  if (C.error())
    return C.error();
  auto S = std::make_unique<Stream>(Stream{C.context(), !(Flags & 1)});
  *Made = S.get();
  C->Streams[*Made] = std::move(S);
  driver().record("stream");
  return Success;
}

/// Calls \p Do with the context and the stream of a handle.
template <class Action> static Result with(Stream *Handle, Action Do) {
  const Call C;
  if (C.error())
    return C.error();
  Stream *S = streamOf(C, Handle);
  return S ? Do(C, *S) : InvalidHandle;
}

static bool isEvent(const Call &C, Event *E) { return C->Events.contains(E); }

extern "C" {

Result cuStreamCreate(Stream **Made, unsigned Flags) {
  return make(Made, Flags);
}
Result cuStreamCreateWithPriority(Stream **Made, unsigned Flags, int) {
  return make(Made, Flags);
}

Result cuStreamDestroy_v2(Stream *Handle) {
  return with(Handle, [](const Call &C, Stream &S) {
    if (&S == &C->Null)
      return InvalidHandle;
    S.run(std::numeric_limits<uint64_t>::max());
    C->Streams.erase(&S);
    driver().record("end of stream");
    return C->Dead;
  });
}

Result cuStreamSynchronize(Stream *Handle) {
  return with(Handle, [](const Call &C, Stream &S) {
    S.run(std::numeric_limits<uint64_t>::max());
    return C->Dead;
  });
}

Result cuStreamQuery(Stream *Handle) {
  return with(Handle, [](const Call &, Stream &S) {
    return advance(S, std::numeric_limits<uint64_t>::max());
  });
}

Result cuStreamWaitEvent(Stream *Handle, Event *E, unsigned) {
  return with(Handle, [=](const Call &C, Stream &S) {
    if (!isEvent(C, E))
      return InvalidHandle;
    if (E->On)
      S.add([On = E->On, Number = E->Number, Of = C.context()] {
        if (On == &Of->Null || Of->Streams.contains(On))
          On->run(Number);
        return Success;
      });
    return Success;
  });
}

Result cuStreamGetCtx(Stream *Handle, Context **Of) {
  return with(Handle, [=](const Call &C, Stream &) {
    *Of = C.context();
    return Success;
  });
}
Result cuStreamGetPriority(Stream *, int *Priority) {
  *Priority = 0;
  return Success;
}
Result cuStreamGetFlags(Stream *Handle, unsigned *Flags) {
  return with(Handle, [=](const Call &, Stream &S) {
    *Flags = !S.Waits;
    return Success;
  });
}
Result cuStreamIsCapturing(Stream *, int *Status) {
  *Status = 0;
  return Success;
}

Result cuEventCreate(Event **Made, unsigned) {
  const Call C;
  if (C.error())
    return C.error();
  auto E = std::make_unique<Event>(Event{C.context()});
  *Made = E.get();
  C->Events[*Made] = std::move(E);
  return Success;
}

Result cuEventDestroy_v2(Event *E) {
  const Call C;
  if (C.error())
    return C.error();
  if (!isEvent(C, E))
    return InvalidHandle;
  if (!E->Happened)
    E->On->run(E->Number); // Which would tell the event.
  C->Events.erase(E);
  return Success;
}

Result cuEventRecord(Event *E, Stream *Handle) {
  return with(Handle, [=](const Call &C, Stream &S) {
    if (!isEvent(C, E))
      return InvalidHandle;
    E->Happened = false;
    S.add([=] {
      E->Happened = true;
      E->When = std::chrono::steady_clock::now();
      return Success;
    });
    E->On = &S;
    E->Number = driver().LastNumber;
    return Success;
  });
}

Result cuEventSynchronize(Event *E) {
  const Call C;
  if (C.error())
    return C.error();
  if (!isEvent(C, E))
    return InvalidHandle;
  if (E->On && !E->Happened)
    E->On->run(E->Number);
  return C->Dead;
}

Result cuEventQuery(Event *E) {
  const Call C;
  if (C.error())
    return C.error();
  if (!isEvent(C, E))
    return InvalidHandle;
  return E->Happened ? Success : advance(*E->On, E->Number);
}

Result cuEventElapsedTime_v2(float *Milliseconds, Event *From, Event *To) {
  const Call C;
  if (C.error())
    return C.error();
  if (!isEvent(C, From) || !isEvent(C, To) || !From->On || !To->On)
    return InvalidHandle;
  if (!From->Happened || !To->Happened)
    return NotReady;
  *Milliseconds =
      std::chrono::duration<float, std::milli>(To->When - From->When).count();
  return Success;
}
Result cuEventElapsedTime(float *Milliseconds, Event *From, Event *To) {
  return cuEventElapsedTime_v2(Milliseconds, From, To);
}

} // extern "C"
