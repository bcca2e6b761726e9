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

static CreateEngineFn findCreate(void *Library) {
  return reinterpret_cast<CreateEngineFn>(dlsym(Library, CreateEngineSymbol));
}

static Expected<CreateEngineFn> openEngine(const std::string &Path) {
  if (Path.empty())
    if (CreateEngineFn Linked = findCreate(RTLD_DEFAULT))
      return Linked;
  std::string File = engineFile(Path);
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

std::string clinch::engineBuildId(const std::string &Path) {
  if (Path.empty())
    if (CreateEngineFn Linked = findCreate(RTLD_DEFAULT))
      return buildId(fileOf(reinterpret_cast<void *>(Linked)));
  return buildId(engineFile(Path));
}
