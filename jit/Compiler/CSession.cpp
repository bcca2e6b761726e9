// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions in C.

#include "CHandles.h"
#include "lib/Support/Forks.h"

using namespace clinch;

std::shared_ptr<Session> SessionState::begin() {
  LockGuard Guard(lockOf(ProcessLock::Sessions));
  if (!Begun)
    Begun = Session::create(Options);
  return Begun;
}

clinch_session *clinch_session_new(void) {
  return orElse(static_cast<clinch_session *>(nullptr),
                [] { return new clinch_session; });
}

void clinch_session_release(clinch_session *session) { delete session; }

/// Changes the options of a session that has not begun.
template <typename Change>
static int configure(clinch_session *S, Change Apply) {
  if (!S)
    return -1;
  return orElse(-1, [&] {
    LockGuard Guard(lockOf(ProcessLock::Sessions));
    if (S->State->Begun)
      return -1;
    Apply(S->State->Options);
    return 0;
  });
}

int clinch_session_set_cache_dir(clinch_session *session, const char *folder) {
  return configure(session, [&](Session::Options &O) {
    O.DiskCache = folder && *folder;
    O.CacheDir = O.DiskCache ? folder : "";
  });
}

int clinch_session_set_cache_limit(clinch_session *session, size_t bytes) {
  return configure(session, [&](Session::Options &O) { O.CacheLimit = bytes; });
}

int clinch_session_set_isolation(clinch_session *session, int isolated) {
  return configure(session,
                   [&](Session::Options &O) { O.Isolated = isolated != 0; });
}

int clinch_session_set_engine(clinch_session *session, const char *path) {
  return configure(
      session, [&](Session::Options &O) { O.EnginePath = path ? path : ""; });
}

int clinch_session_add_prefix_dir(clinch_session *session, const char *folder) {
  return !folder ? -1 : configure(session, [&](Session::Options &O) {
    O.PrefixDirs.emplace_back(folder);
  });
}

/// Returns null if there is none, or no memory for it.
static std::shared_ptr<Session> begun(clinch_session *S) {
  return orElse(std::shared_ptr<Session>(), [&] {
    return S ? S->State->begin() : std::shared_ptr<Session>();
  });
}

size_t clinch_session_count(clinch_session *session, clinch_counter counter) {
  auto S = begun(session);
  if (!S)
    return 0;
  Session::Stats Stats = S->stats();
  switch (counter) {
  case CLINCH_COMPILES:
    return Stats.Compiles;
  case CLINCH_MEMORY_HITS:
    return Stats.MemoryHits;
  case CLINCH_DISK_HITS:
    return Stats.DiskHits;
  case CLINCH_LIVE_MODULES:
    return Stats.LiveModules;
  case CLINCH_LIVE_BYTES:
    return Stats.LiveBytes;
  }
  return 0;
}

const char *clinch_session_cache_dir(clinch_session *session) {
  auto S = begun(session);
  return S ? S->cacheDir().c_str() : "";
}

size_t clinch_session_clear_disk_cache(clinch_session *session) {
  auto S = begun(session);
  if (!S)
    return 0;
  return orElse(size_t(0), [&] {
    auto Removed = S->clearDiskCache();
    return Removed ? *Removed : 0;
  });
}
