//===- Key.cpp - The keys of compiled code -------------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Key.h"
#include "EngineLibrary.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Files/PythonVersion.h"
#include "lib/Support/Forks.h"
#include "lib/Support/Hash.h"

#include <gnu/libc-version.h>
#include <map>

using namespace clinch;

static void addAll(KeyBuilder &Key, const std::vector<std::string> &Texts) {
  Key.add(uint64_t(Texts.size()));
  for (const std::string &Text : Texts)
    Key.add(Text);
}

bool clinch::usesHost(const CompileOptions &O) {
  if (O.CPU == "host" || (O.CPU.empty() && O.Level == Tier::Max))
    return true;
  for (const std::string &Flag : O.Flags)
    if (Flag.ends_with("=native") || Flag == "-fveclib=libmvec")
      return true;
  return false;
}

/// Returns the result of \p Find for \p Of, from \p Known if possible. Calls
/// \p Find outside the lock, at worst twice, because it may wait for a library
/// that is being opened, and that library's initialisers may compile.
template <typename T, typename FindFn>
static std::string remembered(std::map<T, std::string> &Known, const T &Of,
                              FindFn Find) {
  {
    LockGuard Guard(lockOf(ProcessLock::Keys));
    if (auto At = Known.find(Of); At != Known.end())
      return At->second;
  }
  std::string Found = Find();
  LockGuard Guard(lockOf(ProcessLock::Keys));
  return Known.try_emplace(Of, std::move(Found)).first->second;
}

/// Returns a hash of the folders' Python version. It does not change meanwhile.
static std::string pythonAt(const std::vector<std::string> &Folders) {
  using Versions = std::map<std::vector<std::string>, std::string>;
  static constinit ForProcess<Versions> Known;
  return remembered(Known.get([] { return new Versions; }), Folders, [&] {
    return contentHash(engine::pythonVersion(Folders));
  });
}

/// The versions of what runs, for each path of an engine. The engine contains
/// Clang and LLVM; glibc's version determines the vector functions.
struct RunningVersions {
  std::map<std::string, std::string> Of;
  const std::string Host = hostCPUFingerprint();

  static RunningVersions &process() {
    static constinit ForProcess<RunningVersions> Known;
    return Known.get([] { return new RunningVersions; });
  }
};

static std::string runningVersions(const std::string &EnginePath) {
  return remembered(RunningVersions::process().Of, EnginePath, [&] {
    return buildFingerprint() + '|' + engineBuildId(EnginePath) + '|' +
           gnu_get_libc_version();
  });
}

std::string clinch::contentKey(const SourceText &Text, const CompileOptions &O,
                               const Session::Options &S) {
  const std::string &Host = RunningVersions::process().Host;
  KeyBuilder Key;
  Key.add(runningVersions(S.EnginePath)).add(Text.Name).add(Text.Text);
  Key.add(uint64_t(O.Lang))
      .add(uint64_t(O.Level))
      .add(uint64_t(O.PythonHeaders));
  Key.add(O.CPU).add(usesHost(O) ? Host : std::string());
  for (const auto *Texts : {&O.IncludeDirs, &O.Defines, &O.Flags,
                            &O.ForbiddenFlags, &O.Libraries, &O.LibraryDirs})
    addAll(Key, *Texts);
  Key.add(uint64_t(O.Regions.size()));
  for (const Region &R : O.Regions) {
    Key.add(R.Name).add(uint64_t(R.Kind)).add(R.Required).add(R.Block);
    Key.add(uint64_t(R.Begin)).add(uint64_t(R.End));
    addAll(Key, R.Reserved);
    addAll(Key, R.Parts);
    Key.add(R.Support);
    for (const auto *Numbers : {&R.Sees, &R.Calls}) {
      Key.add(uint64_t(Numbers->size()));
      for (unsigned Number : *Numbers)
        Key.add(Number);
    }
  }
  addAll(Key, O.Variables);
  Key.add(O.FailureVariable).add(uint64_t(O.Debug));
  if (O.PythonHeaders) {
    addAll(Key, S.PythonIncludeDirs);
    Key.add(pythonAt(S.PythonIncludeDirs));
  }
  return Key.finish();
}

std::string clinch::codeKey(const std::string &ContentKey,
                            const CompileOptions &O) {
  if (O.Symbols.empty())
    return ContentKey;
  KeyBuilder Key;
  Key.add(ContentKey);
  for (const auto &[Name, Address] : O.Symbols)
    Key.add(Name).add(uint64_t(reinterpret_cast<uintptr_t>(Address)));
  return Key.finish();
}
