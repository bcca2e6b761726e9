//===- LockHooks.cpp - Wrappers of locks ----------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like those in AllocationHooks.cpp, of the functions that lock, or that make
// something once. See HeldLocks.h.
//
//===----------------------------------------------------------------------===//

#include "HeldLocks.h"

#include <pthread.h>

using clinch::engine::HeldLocks;

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses): the
// linker's names
#define CLINCH_LOCK(Name, Type)                                                \
  extern "C" int __real_##Name(Type *L);                                       \
  extern "C" int __wrap_##Name(Type *L) {                                      \
    const int Failed = __real_##Name(L);                                       \
    if (!Failed)                                                               \
      HeldLocks::add(1);                                                       \
    return Failed;                                                             \
  }

#define CLINCH_UNLOCK(Name, Type)                                              \
  extern "C" int __real_##Name(Type *L);                                       \
  extern "C" int __wrap_##Name(Type *L) {                                      \
    HeldLocks::add(-1);                                                        \
    return __real_##Name(L);                                                   \
  }

CLINCH_LOCK(pthread_mutex_lock, pthread_mutex_t)
CLINCH_LOCK(pthread_mutex_trylock, pthread_mutex_t)
CLINCH_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
CLINCH_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
CLINCH_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
CLINCH_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
CLINCH_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
CLINCH_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)

extern "C" int __real_pthread_once(pthread_once_t *Once, void (*Make)());
extern "C" int __wrap_pthread_once(pthread_once_t *Once, void (*Make)()) {
  HeldLocks::add(1);
  const int Failed = __real_pthread_once(Once, Make);
  HeldLocks::add(-1);
  return Failed;
}

// Of the C++ ABI, around the initialiser of a function's static variable.
extern "C" int __real___cxa_guard_acquire(long *Guard);
extern "C" int __wrap___cxa_guard_acquire(long *Guard) {
  const int Makes = __real___cxa_guard_acquire(Guard);
  HeldLocks::add(Makes ? 1 : 0);
  return Makes;
}
extern "C" void __real___cxa_guard_release(long *Guard);
extern "C" void __wrap___cxa_guard_release(long *Guard) {
  __real___cxa_guard_release(Guard);
  HeldLocks::add(-1);
}
extern "C" void __real___cxa_guard_abort(long *Guard);
extern "C" void __wrap___cxa_guard_abort(long *Guard) {
  __real___cxa_guard_abort(Guard);
  HeldLocks::add(-1);
}
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses)
