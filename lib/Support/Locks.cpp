//===- Locks.cpp - Every lock passes the gate ----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into a library with the options that send what it and the archives in
// it do with locks through here. Waiting on a condition is not sent: it would
// wait inside the gate.
//
//===----------------------------------------------------------------------===//

#include "clinch/Support/Forks.h"

#include <atomic>
#include <cstdint>
#include <pthread.h>

using namespace clinch;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names.
extern "C" {
int __real_pthread_mutex_lock(pthread_mutex_t *M);
int __real_pthread_mutex_trylock(pthread_mutex_t *M);
int __real_pthread_mutex_unlock(pthread_mutex_t *M);
int __real_pthread_rwlock_rdlock(pthread_rwlock_t *L);
int __real_pthread_rwlock_wrlock(pthread_rwlock_t *L);
int __real_pthread_rwlock_unlock(pthread_rwlock_t *L);
int __real___cxa_guard_acquire(uint64_t *Guard);
void __real___cxa_guard_release(uint64_t *Guard);
void __real___cxa_guard_abort(uint64_t *Guard);
}

namespace {

enum class Kind { Mutex, ReadWrite, Guard, Once };

struct Held {
  Kind What;
  void *Which;
};

/// What this thread has taken, the last last. Nobody takes more at once.
constexpr unsigned Most = 32;
thread_local Held Taken[Most];
thread_local unsigned Count = 0;

void note(Kind What, void *Which) {
  if (Count < Most)
    Taken[Count] = {What, Which};
  ++Count;
}

void forget(const void *Which) {
  for (unsigned I = Count < Most ? Count : Most; I-- != 0;) {
    if (Taken[I].Which != Which)
      continue;
    for (; I + 1 < Count && I + 1 < Most; ++I)
      Taken[I] = Taken[I + 1];
    break;
  }
  --Count;
}

/// Takes \p Which by \p Take, which says 0 when it did.
template <typename T> int take(Kind What, T *Which, int (*Take)(T *)) {
  forkGate().enter();
  int Result = Take(Which);
  if (Result == 0)
    note(What, Which);
  else
    forkGate().leave();
  return Result;
}

template <typename T> int give(T *Which, int (*Give)(T *)) {
  int Result = Give(Which);
  forget(Which);
  forkGate().leave();
  return Result;
}

// The state of a pthread_once_t, zero in the beginning. Nobody else reads one
// of those that come here.
constexpr int Untouched = 0, Running = 1, Done = 2;

} // namespace

extern "C" {

int __wrap_pthread_mutex_lock(pthread_mutex_t *M) {
  return take(Kind::Mutex, M, __real_pthread_mutex_lock);
}
int __wrap_pthread_mutex_trylock(pthread_mutex_t *M) {
  return take(Kind::Mutex, M, __real_pthread_mutex_trylock);
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t *M) {
  return give(M, __real_pthread_mutex_unlock);
}
int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *L) {
  return take(Kind::ReadWrite, L, __real_pthread_rwlock_rdlock);
}
int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *L) {
  return take(Kind::ReadWrite, L, __real_pthread_rwlock_wrlock);
}
int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *L) {
  return give(L, __real_pthread_rwlock_unlock);
}

/// One, when the caller is to initialise.
int __wrap___cxa_guard_acquire(uint64_t *Guard) {
  forkGate().enter();
  int ToDo = __real___cxa_guard_acquire(Guard);
  if (ToDo)
    note(Kind::Guard, Guard);
  else
    forkGate().leave();
  return ToDo;
}
void __wrap___cxa_guard_release(uint64_t *Guard) {
  __real___cxa_guard_release(Guard);
  forget(Guard);
  forkGate().leave();
}
void __wrap___cxa_guard_abort(uint64_t *Guard) {
  __real___cxa_guard_abort(Guard);
  forget(Guard);
  forkGate().leave();
}

/// glibc's cannot be begun again after a crash.
int __wrap_pthread_once(pthread_once_t *Once, void (*Initialise)()) {
  std::atomic_ref<int> State(*Once);
  if (State.load(std::memory_order_acquire) == Done)
    return 0;
  forkGate().enter();
  for (int Was = Untouched;;) {
    if (State.compare_exchange_strong(Was, Running)) {
      note(Kind::Once, Once);
      Initialise();
      State.store(Done);
      forget(Once);
      break;
    }
    if (Was == Done)
      break;
    State.wait(Was);
    Was = Untouched;
  }
  State.notify_all();
  forkGate().leave();
  return 0;
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

void clinch::releaseLocks() {
  for (unsigned I = Count < Most ? Count : Most; I-- != 0;) {
    void *Which = Taken[I].Which;
    switch (Taken[I].What) {
    case Kind::Mutex:
      __real_pthread_mutex_unlock(static_cast<pthread_mutex_t *>(Which));
      break;
    case Kind::ReadWrite:
      __real_pthread_rwlock_unlock(static_cast<pthread_rwlock_t *>(Which));
      break;
    case Kind::Guard:
      __real___cxa_guard_abort(static_cast<uint64_t *>(Which));
      break;
    case Kind::Once:
      std::atomic_ref<int> State(*static_cast<pthread_once_t *>(Which));
      State.store(Untouched);
      State.notify_all();
      break;
    }
  }
  Count = 0;
  forkGate().leaveAll();
}
