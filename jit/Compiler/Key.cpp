//===- Key.cpp - What decides about the code -----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Key.h"
#include "EngineLibrary.h"
#include "clinch/Support/Hash.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Prefix/PythonVersion.h"

#include <gnu/libc-version.h>
#include <map>
#include <mutex>

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

/// Which Python those folders are of; they do not change while it runs.
static std::string pythonAt(const std::vector<std::string> &Folders) {
  static std::mutex Lock;
  static std::map<std::vector<std::string>, std::string> Known;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [At, IsNew] = Known.try_emplace(Folders);
  if (IsNew)
    At->second = contentHash(engine::pythonVersion(Folders));
  return At->second;
}

/// What runs, for one place of an engine: Clang and LLVM are inside it, and
/// glibc's version says which functions there are for vectors.
static std::string runningVersions(const std::string &EnginePath) {
  static std::mutex Lock;
  static std::map<std::string, std::string> Known;
  std::lock_guard<std::mutex> Guard(Lock);
  auto [At, IsNew] = Known.try_emplace(EnginePath);
  if (IsNew)
    At->second = buildFingerprint() + '|' + engineBuildId(EnginePath) + '|' +
                 gnu_get_libc_version();
  return At->second;
}

std::string clinch::contentKey(const SourceText &Text, const CompileOptions &O,
                               const SessionOptions &S) {
  static const std::string Host = hostCPUFingerprint();
  KeyBuilder Key;
  Key.add(runningVersions(S.EnginePath)).add(Text.Name).add(Text.Text);
  Key.add(uint64_t(O.Lang)).add(uint64_t(O.Level)).add(uint64_t(O.Headers));
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
  }
  Key.add(O.FailureVariable).add(uint64_t(O.Debug));
  if (O.Headers == Prefix::Python) {
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
  for (const SymbolDefinition &S : O.Symbols)
    Key.add(S.Name).add(uint64_t(reinterpret_cast<uintptr_t>(S.Address)));
  return Key.finish();
}
