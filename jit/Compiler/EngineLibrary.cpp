//===- EngineLibrary.cpp - The engine, loaded when needed ----------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EngineLibrary.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>

using namespace clinch;

/// The folder that the code of this function was loaded from.
static std::string ownFolder() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &Info))
    return {};
  char Real[PATH_MAX];
  std::string Path = realpath(Info.dli_fname, Real) ? Real : Info.dli_fname;
  size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? "." : Path.substr(0, Slash);
}

static CreateEngineFn findCreate(void *Library) {
  return reinterpret_cast<CreateEngineFn>(dlsym(Library, CreateEngineSymbol));
}

static Expected<CreateEngineFn> openEngine(const std::string &Path) {
  if (Path.empty())
    if (CreateEngineFn Linked = findCreate(RTLD_DEFAULT))
      return Linked;
  std::string File = Path.empty() ? ownFolder() + "/libclinch-engine.so" : Path;
  void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Why = dlerror();
    return Error(ErrorKind::IO,
                 "The compiler cannot be loaded: expected it in `" + File +
                     "`, the system said `" + (Why ? Why : "") + "`.");
  }
  if (CreateEngineFn Create = findCreate(Library))
    return Create;
  dlclose(Library);
  return Error(ErrorKind::IO, "The compiler cannot be loaded: expected `" +
                                  File + "` to define `" + CreateEngineSymbol +
                                  "`.");
}

Expected<std::unique_ptr<Engine>>
clinch::createEngine(const std::string &Path, const EngineConfig &Config) {
  auto Create = openEngine(Path);
  if (!Create)
    return Create.takeError();
  std::unique_ptr<Engine> Made((*Create)(Config));
  if (!Made)
    return Error(ErrorKind::IO, "The compiler cannot be started.");
  return Made;
}
