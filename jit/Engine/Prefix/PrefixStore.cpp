//===- PrefixStore.cpp - The prefixes of a process -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefixStore.h"

#include "../Files/PythonVersion.h"
#include "../Survival/CrashGuard.h"
#include "PrefixBuilder.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include "clang/Basic/Version.h"

#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

constexpr const char *KeyPath = "/clinch/prefix/key";

std::string archiveName(const std::string &Key) { return Key + ".pch.clinch"; }

/// Reads a file of this user alone, whole and of this key; else nothing.
std::string readArchive(const std::string &Folder, const std::string &Key) {
  auto Ours = PrivateFolder::open(Folder, false);
  std::optional<std::string> Bytes =
      Ours ? Ours->read(archiveName(Key)) : std::nullopt;
  if (!Bytes || !HeaderArchive::verify(*Bytes) ||
      HeaderArchive(*Bytes).text(KeyPath) != Key)
    return {};
  return std::move(*Bytes);
}

void writeArchive(const std::string &Folder, const std::string &Key,
                  std::string_view Bytes) {
  if (auto Ours = PrivateFolder::open(Folder, true))
    (void)Ours->write(archiveName(Key), Bytes);
}

} // namespace

PrefixStore::PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
                         const EngineConfig &Config)
    : Baked(Baked), Plans(Plans), Folder(Config.PrefixCacheDir),
      IsOurs(Baked.text(ClangVersionPath) == clangVersionText()) {
  if (!Plans.pythonFolders().empty())
    Python = pythonVersion(Plans.pythonFolders());
  std::vector<std::string> System = Plans.systemFolders();
  auto WithPath = [&](const char *Path) {
    auto U = std::make_shared<PrefixUse>();
    U->Files.Archives = {Baked};
    U->Files.FromDisk = Plans.pythonFolders();
    U->Files.System = System;
    U->Path = Path;
    return U;
  };
  None = WithPath("");
  BakedC = WithPath(prefixPaths(Language::C).Precompiled);
  BakedCXX = WithPath(prefixPaths(Language::CXX).Precompiled);
}

std::string PrefixStore::key(Language Lang, const Plan &P) const {
  KeyBuilder K;
  K.add(clang::getClangFullVersion()).add(Baked.checksum());
  K.add(uint64_t(Lang)).add(Python);
  for (const auto *List : {&P.PrefixTraits, &Plans.pythonFolders()}) {
    K.add(uint64_t(List->size()));
    for (const std::string &S : *List)
      K.add(S);
  }
  return K.finish();
}

Expected<std::shared_ptr<const PrefixUse>>
PrefixStore::get(const CompileOptions &O, const Plan &P) {
  if (!O.PythonHeaders)
    return None;
  if (IsOurs && P.PrefixTraits.empty() && Plans.pythonFolders().empty())
    return O.Lang == Language::C ? BakedC : BakedCXX;
  std::string Key = key(O.Lang, P);
  std::lock_guard<std::mutex> Guard(Lock);
  if (auto At = Made.find(Key); At != Made.end())
    return At->second;
  Expected<std::shared_ptr<const PrefixUse>> U = make(O, P, Key);
  if (U)
    Made.emplace(std::move(Key), *U);
  return U;
}

Expected<std::shared_ptr<const PrefixUse>>
PrefixStore::make(const CompileOptions &O, const Plan &P,
                  const std::string &Key) {
  if (!Folder.empty())
    if (std::string Bytes = readArchive(Folder, Key); !Bytes.empty())
      return use(O.Lang, std::move(Bytes));
  const CrashSubject Subject("the headers of Python and NumPy");
  CLINCH_TRY_ASSIGN(std::string Built, build(O.Lang, P, Key));
  // A prefix that is not cached is rebuilt next time: no error.
  if (!Folder.empty())
    writeArchive(Folder, Key, Built);
  return use(O.Lang, std::move(Built));
}

Expected<std::string> PrefixStore::build(Language Lang, const Plan &P,
                                         const std::string &Key) const {
  CLINCH_TRY_ASSIGN(clang::CompilerInvocation I,
                    Plans.prefixInvocation(Lang, P));
  auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(None->Files);
  CLINCH_TRY_ASSIGN(BuiltPrefix B,
                    buildPrefix(std::make_shared<clang::CompilerInvocation>(I),
                                FS, prefixText(Lang)));
  ArchiveBuilder Archive;
  for (const std::string &Path : B.Headers) {
    auto Text = FS->getBufferForFile(Path);
    if (!Text)
      return Error(Error::Kind::IO,
                   "The header `" + Path +
                       "` cannot be read: " + Text.getError().message() + ".");
    Archive.add(Path, (*Text)->getBuffer().str());
  }
  Archive.add(prefixPaths(Lang).Precompiled, std::move(B.Precompiled));
  Archive.add(KeyPath, Key);
  return Archive.finish();
}

std::shared_ptr<const PrefixUse> PrefixStore::use(Language Lang,
                                                  std::string Bytes) const {
  auto U = std::make_shared<PrefixUse>(*None);
  U->Own = std::move(Bytes);
  U->Files.Archives.insert(U->Files.Archives.begin(), HeaderArchive(U->Own));
  U->Path = prefixPaths(Lang).Precompiled;
  return U;
}
