// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine, loaded when needed.

#include "EngineLibrary.h"
#include "BuildId.h"
#include "jit/Engine/AtFork.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

using namespace clinch;

namespace {

/// The process's state of the engine, guarded by ProcessLock::EngineUse; the
/// libraries are guarded by ProcessLock::EngineLoading.
struct State {
  bool IsLost = false;
  unsigned Inside = 0; ///< Threads inside the engine.
  std::vector<EngineAtForkFn> Libraries;

  static State &process() {
    static constinit ForProcess<State> Only;
    return Only.get([] {
      onFork(ProcessLock::EngineLoading, Steps);
      return new State;
    });
  }

  static void beforeFork() { tellAll(ForkStep::Before); }
  static void inParent() { tellAll(ForkStep::InParent); }
  static void inChild() {
    const bool IsBusy = tellAll(ForkStep::InChild);
    process().IsLost |= IsBusy || process().Inside;
  }
  static bool tellAll(ForkStep Step) {
    bool Any = false;
    for (EngineAtForkFn Tell : process().Libraries)
      Any |= Tell(Step);
    return Any;
  }
  static constexpr ForkSteps Steps = {beforeFork, inParent, inChild};
};

} // namespace

EngineUse::EngineUse() {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  IsInside = !S.IsLost;
  S.Inside += IsInside;
}

EngineUse::~EngineUse() {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  S.Inside -= IsInside;
}

void clinch::loseEngine() noexcept {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  S.IsLost = true;
}

bool clinch::isEngineLost() noexcept {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  return S.IsLost;
}

/// Returns the file that the code at \p Address was loaded from.
static std::string fileOf(void *Address) {
  Dl_info Info;
  if (!dladdr(Address, &Info))
    return {};
  char Real[PATH_MAX];
  return realpath(Info.dli_fname, Real) ? Real : Info.dli_fname;
}

static std::string engineFile(const std::string &Path) {
  if (!Path.empty())
    return Path;
  std::string Own = fileOf(reinterpret_cast<void *>(&fileOf));
  size_t Slash = Own.rfind('/');
  return (Slash == std::string::npos ? "." : Own.substr(0, Slash)) +
         "/libclinch-engine.so";
}

static Error cannotLoad(const std::string &File, const std::string &Why) {
  return Error(Error::Kind::IO,
               "The compiler cannot be loaded: expected it in `" + File +
                   "`, the system said `" + Why + "`.");
}

/// Loads the engine's library and returns its function \p Symbol.
Expected<void *> clinch::findInEngine(const std::string &Path,
                                      const char *Symbol) {
  void *Linked = Path.empty() ? dlsym(RTLD_DEFAULT, Symbol) : nullptr;
  if (Linked)
    return Linked;
  const std::string File = engineLibraryFile(Path);
  if (isCutShort(File))
    return cannotLoad(File, File + ": file too short");
  void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return cannotLoad(File, Why ? Why : "");
  }
  if (void *Found = dlsym(Library, Symbol))
    return Found;
  dlclose(Library);
  return Error(Error::Kind::IO, "The compiler cannot be loaded: expected `" +
                                    File + "` to define `" + Symbol + "`.");
}

/// Notifies the library that contains \p Function of forks from now on.
static void followForksIn(void *Function) {
  Dl_info Info;
  if (!dladdr(Function, &Info))
    return;
  void *Library = dlopen(Info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  auto *Tell = reinterpret_cast<EngineAtForkFn>(
      dlsym(Library ? Library : RTLD_DEFAULT, EngineAtForkSymbol));
  auto &Known = State::process().Libraries;
  if (Tell && std::find(Known.begin(), Known.end(), Tell) == Known.end())
    Known.push_back(Tell);
  if (Library)
    dlclose(Library);
}

template <typename T, typename CreateFn>
static Expected<std::unique_ptr<T>> create(const std::string &Path,
                                           const EngineConfig &Config,
                                           const char *Symbol) {
  CLINCH_TRY_ASSIGN(auto *Found, findInEngine(Path, Symbol));
  followForksIn(Found);
  return std::unique_ptr<T>(reinterpret_cast<CreateFn>(Found)(Config));
}

Expected<std::unique_ptr<Engine>>
clinch::createEngine(const std::string &Path, const EngineConfig &Config) {
  return create<Engine, CreateEngineFn>(Path, Config, CreateEngineSymbol);
}

Expected<std::unique_ptr<TextChecker>>
clinch::createChecker(const std::string &Path, const EngineConfig &Config) {
  return create<TextChecker, CreateCheckerFn>(Path, Config,
                                              CreateCheckerSymbol);
}

std::string clinch::engineLibraryFile(const std::string &Path) {
  void *Linked =
      Path.empty() ? dlsym(RTLD_DEFAULT, CreateEngineSymbol) : nullptr;
  return Linked ? fileOf(Linked) : engineFile(Path);
}

std::string clinch::engineBuildId(const std::string &Path) {
  return buildId(engineLibraryFile(Path));
}
