//===- EngineLibrary.cpp - The engine, loaded when needed ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineLibrary.h"
#include "BuildId.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>

using namespace clinch;

/// The file that the code at \p Address was loaded from.
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

/// A function of the engine's library, which is opened.
static Expected<void *> findInEngine(const std::string &Path,
                                     const char *Symbol) {
  if (Path.empty())
    if (void *Linked = dlsym(RTLD_DEFAULT, Symbol))
      return Linked;
  std::string File = engineFile(Path);
  void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return Error(ErrorKind::IO,
                 "The compiler cannot be loaded: expected it in `" + File +
                     "`, the system said `" + (Why ? Why : "") + "`.");
  }
  if (void *Found = dlsym(Library, Symbol))
    return Found;
  dlclose(Library);
  return Error(ErrorKind::IO, "The compiler cannot be loaded: expected `" +
                                  File + "` to define `" + Symbol + "`.");
}

template <typename T, typename CreateFn>
static Expected<std::unique_ptr<T>> create(const std::string &Path,
                                           const EngineConfig &Config,
                                           const char *Symbol) {
  Expected<void *> Found = findInEngine(Path, Symbol);
  if (!Found)
    return Found.takeError();
  std::unique_ptr<T> Made(reinterpret_cast<CreateFn>(*Found)(Config));
  if (!Made)
    return Error(ErrorKind::IO, "The compiler cannot be started.");
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

std::string clinch::engineBuildId(const std::string &Path) {
  if (Path.empty())
    if (void *Linked = dlsym(RTLD_DEFAULT, CreateEngineSymbol))
      return buildId(fileOf(Linked));
  return buildId(engineFile(Path));
}
