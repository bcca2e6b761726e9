// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain C interface: sessions and modules.

#include "CHandles.h"
#include "lib/Support/Forks.h"

using namespace clinch;

clinch_severity clinch_diagnostic_severity(const clinch_diagnostic *d) {
  return d ? clinch_severity(fromC(d)->Level) : CLINCH_NOTE;
}

const char *clinch_diagnostic_origin(const clinch_diagnostic *d) {
  return d ? fromC(d)->Origin.c_str() : "";
}

unsigned clinch_diagnostic_line(const clinch_diagnostic *d) {
  return d ? fromC(d)->Line : 0;
}

unsigned clinch_diagnostic_column(const clinch_diagnostic *d) {
  return d ? fromC(d)->Column : 0;
}

const char *clinch_diagnostic_message(const clinch_diagnostic *d) {
  return d ? fromC(d)->Message.c_str() : "";
}

const char *clinch_diagnostic_source_line(const clinch_diagnostic *d) {
  return d ? fromC(d)->SourceLine.c_str() : "";
}

size_t clinch_diagnostic_note_count(const clinch_diagnostic *d) {
  return d ? fromC(d)->Notes.size() : 0;
}

const clinch_diagnostic *clinch_diagnostic_note(const clinch_diagnostic *d,
                                                size_t index) {
  return d ? diagnosticAt(fromC(d)->Notes, index) : nullptr;
}

size_t clinch_diagnostic_fixit_count(const clinch_diagnostic *d) {
  return d ? fromC(d)->FixIts.size() : 0;
}

const char *clinch_diagnostic_fixit(const clinch_diagnostic *d, size_t index,
                                    unsigned *begin, unsigned *end) {
  if (index >= clinch_diagnostic_fixit_count(d))
    return nullptr;
  const Diagnostic::FixIt &F = fromC(d)->FixIts[index];
  if (begin)
    *begin = F.BeginColumn;
  if (end)
    *end = F.EndColumn;
  return F.Replacement.c_str();
}

void *clinch_module_symbol(const clinch_module *module, const char *name) {
  return module && name ? module->Module.lookup(name) : nullptr;
}

clinch_module *clinch_module_retain(clinch_module *module) {
  if (module)
    ++module->Users;
  return module;
}

void clinch_module_release(clinch_module *module) {
  if (module && --module->Users == 0)
    delete module;
}

const char *clinch_module_key(const clinch_module *module) {
  return module ? module->Module.key().c_str() : "";
}

size_t clinch_module_warning_count(const clinch_module *module) {
  return module ? module->Module.warnings().size() : 0;
}

const clinch_diagnostic *clinch_module_warning(const clinch_module *module,
                                               size_t index) {
  return module ? diagnosticAt(module->Module.warnings(), index) : nullptr;
}

const char *clinch_module_stage(const clinch_module *module, clinch_stage stage,
                                size_t *size) {
  const std::string *Text =
      module ? module->Module.stage(Stage(stage)) : nullptr;
  if (size)
    *size = Text ? Text->size() : 0;
  return Text ? Text->c_str() : nullptr;
}

clinch_cache_result clinch_module_cache_result(const clinch_module *module) {
  return module ? clinch_cache_result(module->Module.stats().Cache)
                : CLINCH_MISS;
}

size_t clinch_module_source_bytes(const clinch_module *module) {
  return module ? module->Module.stats().SourceBytes : 0;
}

size_t clinch_module_object_bytes(const clinch_module *module) {
  return module ? module->Module.stats().ObjectBytes : 0;
}

size_t clinch_module_code_bytes(const clinch_module *module) {
  return module ? module->Module.stats().CodeBytes : 0;
}

size_t clinch_module_step_count(const clinch_module *module) {
  return module ? module->Module.stats().Stages.size() : 0;
}

const char *clinch_module_step(const clinch_module *module, size_t index,
                               double *milliseconds) {
  if (index >= clinch_module_step_count(module))
    return nullptr;
  const auto &[Name, Milliseconds] = module->Module.stats().Stages[index];
  if (milliseconds)
    *milliseconds = Milliseconds;
  return Name.c_str();
}

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
