// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in, code out.

#include "clinch/Compiler/Session.h"
#include "CompileTask.h"
#include "EngineLibrary.h"
#include "IsolatedEngine.h"
#include "Key.h"
#include "jit/Cache/DiskCache.h"
#include "jit/Loader/CrashNotes.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>

using namespace clinch;

namespace {
/// The fork handlers are registered at load, and only by
/// libclinch-compiler.so, whose locks all other libraries share.
[[maybe_unused]] const bool FollowsForks = (followForks(), true);
} // namespace

struct Session::Impl {
  Session::Options Options;
  std::unique_ptr<DiskCache> Disk; ///< Null if there is no disk cache.
  std::string CacheDir;
  std::atomic<size_t> Compiles{0}, MemoryHits{0}, DiskHits{0};

  /// Of this process; guarded by ProcessLock::EngineLoading.
  std::unique_ptr<Engine> TheEngine;

  ~Impl();
  EngineConfig engineConfig() const;
  Expected<Engine *> engine();
  Expected<EngineResult> compile(const SourceText &Text,
                                 const CompileOptions &O);
  void count(Module::CacheResult R);
  /// The disk cache if it may hold what \p O compiles to. A debugger needs the
  /// sources, and only a compile writes them.
  DiskCache *diskFor(const CompileOptions &O) const {
    return O.UseDiskCache && !O.Debug ? Disk.get() : nullptr;
  }
  /// Links \p Object if there is one, instead of compiling.
  Expected<Module> produce(const SourceText &Text, const CompileOptions &Given,
                           std::string *Object);
  Expected<Linkable> linkable(const SourceText &Text, const CompileOptions &O,
                              bool IsCounted);
};

/// Leaks an engine that is lost.
Session::Impl::~Impl() {
  if (isEngineLost())
    (void)TheEngine.release(); // NOLINT(bugprone-unused-return-value)
}

EngineConfig Session::Impl::engineConfig() const {
  EngineConfig Config;
  Config.PrefixDirs = Options.PrefixDirs;
  if (Disk)
    Config.PrefixCacheDir = CacheDir;
  Config.CacheLimit = Options.CacheLimit;
  return Config;
}

Expected<Engine *> Session::Impl::engine() {
  LockGuard Guard(lockOf(ProcessLock::EngineLoading));
  if (!TheEngine) {
    CLINCH_TRY_ASSIGN(TheEngine,
                      createEngine(Options.EnginePath, engineConfig()));
  }
  return TheEngine.get();
}

/// In this process, unless that cannot keep what was asked for.
Expected<EngineResult> Session::Impl::compile(const SourceText &Text,
                                              const CompileOptions &O) {
  if (!Options.Isolated && !O.TimeLimitMs && !O.MemoryLimit &&
      !isEngineLost()) {
    CLINCH_TRY_ASSIGN(Engine * Here, engine());
    if (!Here->isUsable()) // A compile that was left has crashed.
      loseEngine();
    if (const EngineUse Use; Use) {
      auto Result = Here->compile(Text, O);
      if (!Here->isUsable())
        loseEngine();
      if (!Result || !Result->Object.empty())
        return Result;
    }
  }
  return compileIsolated(engineLibraryFile(Options.EnginePath), engineConfig(),
                         Text, O);
}

void Session::Impl::count(Module::CacheResult R) {
  switch (R) {
  case Module::CacheResult::Miss:
    ++Compiles;
    break;
  case Module::CacheResult::HitMemory:
    ++MemoryHits;
    break;
  case Module::CacheResult::HitDisk:
    ++DiskHits;
    break;
  }
}

Session::Session() : I(std::make_unique<Impl>()) {}
Session::~Session() = default;

std::shared_ptr<Session> Session::create() { return create(Options()); }

std::shared_ptr<Session> Session::create(Session::Options O) {
  std::shared_ptr<Session> S(new Session);
  if (O.DiskCache) {
    // A relative folder is the one of now, wherever the process goes later.
    std::error_code Lost;
    std::string Dir = std::filesystem::absolute(
        O.CacheDir.empty() ? defaultCacheDir() : O.CacheDir, Lost);
    S->I->Disk = DiskCache::open(Dir, O.CacheLimit);
    if (S->I->Disk)
      S->I->CacheDir = std::move(Dir);
  }
  S->I->Options = std::move(O);
  return S;
}

Expected<Module> Session::compile(const SourceText &Text,
                                  const CompileOptions &O) {
  return I->produce(Text, O, nullptr);
}

Expected<Module> Session::adopt(const SourceText &Text, const CompileOptions &O,
                                std::string Object) {
  return I->produce(Text, O, &Object);
}

void Session::enableCrashNotes() { CrashNotes::enable(); }

namespace {
/// Options with line tables for CrashNotes. Stages that are kept are for
/// reading, and stay as they are.
class NotedOptions {
public:
  explicit NotedOptions(const CompileOptions &Given) : O(Given) {
    const bool IsRead =
        std::any_of(Given.Keep.begin(), Given.Keep.end(),
                    [](Stage S) { return S != Stage::Declarations; });
    if (!CrashNotes::enabled() || IsRead)
      return;
    Noted = Given;
    Noted->Flags.insert(Noted->Flags.begin(),
                        {"-gline-tables-only", "-gno-column-info",
                         "-fasynchronous-unwind-tables"});
  }
  const CompileOptions &get() const { return Noted ? *Noted : O; }

private:
  const CompileOptions &O;
  std::optional<CompileOptions> Noted;
};
} // namespace

Expected<Module> Session::Impl::produce(const SourceText &Text,
                                        const CompileOptions &Given,
                                        std::string *Object) {
  const Uncancelled Whole;
  const NotedOptions Noted(Given);
  const CompileOptions &O = Noted.get();
  CompileTask Task(Text, O, Options, diskFor(O),
                   [&] { return compile(Text, O); });
  CLINCH_TRY_ASSIGN(auto Live,
                    Object ? Task.runWith(std::move(*Object)) : Task.run());
  if (!Object || Task.Stats.Cache != Module::CacheResult::Miss)
    count(Task.Stats.Cache);
  return Task.moduleOf(std::move(Live));
}

Expected<Module> Session::find(const SourceText &Text,
                               const CompileOptions &Given) {
  const Uncancelled Whole;
  const NotedOptions Noted(Given);
  const CompileOptions &O = Noted.get();
  CompileTask Task(Text, O, I->Options, I->diskFor(O), {});
  CLINCH_TRY_ASSIGN(auto Live, Task.find());
  if (!Live)
    return Module();
  I->count(Task.Stats.Cache);
  return Task.moduleOf(std::move(Live));
}

Expected<Linkable> Session::linkable(const SourceText &Text,
                                     const CompileOptions &O) {
  return I->linkable(Text, O, /*IsCounted=*/true);
}

Expected<Linkable> Session::Impl::linkable(const SourceText &Text,
                                           const CompileOptions &O,
                                           bool IsCounted) {
  const Uncancelled Whole;
  CompileTask Task(Text, O, Options, diskFor(O),
                   [&] { return compile(Text, O); });
  auto Made = Task.linkable();
  if (Made && IsCounted)
    count(Task.Stats.Cache);
  return Made;
}

Status Session::prepare(const CompileOptions &O) {
  auto Made = I->linkable({"headers", ""}, O, /*IsCounted=*/false);
  return Made ? Status::success() : Status(Made.takeError());
}

std::string Session::key(const SourceText &Text,
                         const CompileOptions &O) const {
  return contentKey(Text, NotedOptions(O).get(), I->Options);
}

Session::Stats Session::stats() const {
  Session::Stats S;
  S.Compiles = I->Compiles;
  S.MemoryHits = I->MemoryHits;
  S.DiskHits = I->DiskHits;
  S.LiveModules = CodeRegistry::process().liveModules();
  S.LiveBytes = CodeRegistry::process().liveBytes();
  return S;
}

Expected<size_t> Session::clearDiskCache() {
  return I->Disk ? I->Disk->clear() : Expected<size_t>(size_t(0));
}

const std::string &Session::cacheDir() const { return I->CacheDir; }
