//===- EngineLibrary.cpp - The engine, loaded when needed ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineLibrary.h"
#include "BuildId.h"
#include "LoadingReserve.h"
#include "jit/Engine/AtFork.h"
#include "lib/Support/Descriptor.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace clinch;

namespace {

/// The process's state of the engine, guarded by ProcessLock::EngineUse; the
/// libraries are guarded by ProcessLock::EngineLoading.
struct State {
  unsigned Generation = 0;
  unsigned Inside = 0; ///< Threads inside the engine.
  std::vector<EngineAtForkFn> Libraries;
  /// The copies, by generation and file.
  std::map<std::pair<unsigned, std::string>, void *> Copies;

  static State &process() {
    static constinit ForProcess<State> Only;
    return Only.get([] {
      onFork(ProcessLock::EngineLoading, Steps);
      return new State;
    });
  }

  static void beforeFork() { tellAll(ForkStep::Before); }
  static void inParent() { tellAll(ForkStep::InParent); }
  static void inChild();
  static bool tellAll(ForkStep Step);
  static constexpr ForkSteps Steps = {beforeFork, inParent, inChild};
};

bool State::tellAll(ForkStep Step) {
  bool Any = false;
  for (EngineAtForkFn Tell : process().Libraries)
    Any |= Tell(Step);
  return Any;
}

void State::inChild() {
  State &S = process();
  const bool IsBusy = tellAll(ForkStep::InChild);
  if (!IsBusy && !S.Inside)
    return;
  ++S.Generation;
  S.Inside = 0;
  S.Libraries.clear();
  S.Copies.clear();
}

} // namespace

unsigned clinch::engineGeneration() {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  return S.Generation;
}

EngineUse::EngineUse() {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  ++S.Inside;
  Generation = S.Generation;
}

EngineUse::~EngineUse() {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  if (Generation == S.Generation)
    --S.Inside;
}

/// Makes later compiles use a new load of the library, unless another thread
/// has already done so since \p Generation.
static void leaveEngineOf(unsigned Generation) noexcept {
  State &S = State::process();
  LockGuard Guard(lockOf(ProcessLock::EngineUse));
  if (Generation != S.Generation)
    return;
  ++S.Generation;
  S.Inside = 0;
}

void EngineUse::leaveEngine() noexcept { leaveEngineOf(Generation); }

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

/// Copies all of \p From to \p To.
static bool copyFile(int From, int To) {
  struct stat S;
  if (From < 0 || To < 0 || fstat(From, &S) != 0)
    return false;
  off_t Done = 0;
  while (Done < S.st_size)
    if (sendfile(To, From, &Done, size_t(S.st_size - Done)) <= 0)
      return false;
  return true;
}

/// Loads the library again, separate from earlier loads. The dynamic loader
/// identifies libraries by name and file, so the copy is a new file, and one
/// more `/.` per generation gives it a new name.
static Expected<void *> openCopy(const std::string &File, unsigned Generation) {
  void *&Library = State::process().Copies[{Generation, File}];
  if (Library)
    return Library;
  const Descriptor From(open(File.c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor To(memfd_create("clinch-engine", MFD_CLOEXEC));
  std::string Why;
  if (copyFile(From.Number, To.Number)) {
    std::string Path = "/proc/self/fd";
    for (unsigned I = 0; I < Generation; ++I)
      Path += "/.";
    Path += "/" + std::to_string(To.Number);
    Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (const char *Said = Library ? nullptr : dlerror())
      Why = Said;
  } else {
    Why = strerror(errno);
  }
  if (!Library)
    return cannotLoad(File, Why);
  return Library;
}

/// Loads the engine's library and returns its function \p Symbol.
static Expected<void *> findInEngine(const std::string &Path,
                                     const char *Symbol) {
  const unsigned Generation = engineGeneration();
  void *Linked = Path.empty() ? dlsym(RTLD_DEFAULT, Symbol) : nullptr;
  if (Linked && !Generation)
    return Linked;
  const std::string File = engineLibraryFile(Path);
  if (isCutShort(File))
    return cannotLoad(File, File + ": file too short");
  void *Library = nullptr;
  if (Generation) {
    CLINCH_TRY_ASSIGN(Library, openCopy(File, Generation));
  } else {
    Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!Library) {
      const char *Why = dlerror();
      return cannotLoad(File, Why ? Why : "");
    }
  }
  if (void *Found = dlsym(Library, Symbol))
    return Found;
  dlclose(Library);
  return Error(Error::Kind::IO, "The compiler cannot be loaded: expected `" +
                                    File + "` to define `" + Symbol + "`.");
}

static Expected<void *> findWithReserve(const std::string &Path,
                                        const char *Symbol) {
  LoadingReserve Reserve;
  if (!Reserve)
    return Error(Error::Kind::Limit,
                 "Out of memory: the compiler cannot be loaded.");
  return findInEngine(Path, Symbol);
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
  const unsigned Generation = engineGeneration();
  CLINCH_TRY_ASSIGN(auto *Found, findWithReserve(Path, Symbol));
  followForksIn(Found);
  std::unique_ptr<T> Made(reinterpret_cast<CreateFn>(Found)(Config));
  if (!Made) { // It may have held a lock of LLVM.
    leaveEngineOf(Generation);
    return Error(Error::Kind::Limit,
                 "Out of memory: the compiler cannot be started.");
  }
  return Made;
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
