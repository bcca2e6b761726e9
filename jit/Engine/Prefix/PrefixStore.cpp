// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefixes of a process.

#include "PrefixStore.h"

#include "../CrashRecovery/CrashGuard.h"
#include "../FileDependencies.h"
#include "../Files/PrefixVersion.h"
#include "Packing.h"
#include "PrefixBuilder.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include "clang/Basic/Version.h"
#include "clang/Lex/PreprocessorOptions.h"

#include <algorithm>
#include <optional>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Of what a prefix is built to.
constexpr uint64_t Version = 3;

/// How often a prefix is built whose headers change meanwhile.
constexpr unsigned MostBuilds = 4;

constexpr const char *KeyPath = "/clinch/prefix/key",
                     *FilesPath = "/clinch/prefix/files",
                     *ToldPath = "/clinch/prefix/told";

/// Lists files on disk, but for those that a process looks at once: a hash and
/// a path each, a NUL after both.
std::string listed(const std::vector<FileDependency> &Files,
                   const std::vector<std::string> &OfProcess) {
  std::string Result;
  for (const FileDependency &F : Files)
    if (std::none_of(OfProcess.begin(), OfProcess.end(),
                     [&](const std::string &Folder) {
                       return F.Path.starts_with(Folder + "/");
                     }))
      Result += F.Hash + '\0' + F.Path + '\0';
  return Result;
}

std::vector<FileDependency> filesOf(const HeaderArchive &Archive) {
  std::vector<FileDependency> Result;
  llvm::StringRef Rest(Archive.text(FilesPath));
  while (!Rest.empty()) {
    auto [Hash, Behind] = Rest.split('\0');
    auto [Path, Others] = Behind.split('\0');
    Result.push_back({Path.str(), Hash.str()});
    Rest = Others;
  }
  return Result;
}

std::string archiveName(const std::string &Key) { return Key + ".pch.clinch"; }

/// Reads a file of this user alone, whole and of this key; else nothing.
std::string readArchive(const std::string &Folder, const std::string &Key) {
  auto Ours = PrivateFolder::open(Folder, false);
  std::optional<std::string> Packed =
      Ours ? Ours->read(archiveName(Key)) : std::nullopt;
  std::string Bytes = Packed ? unpacked(*Packed) : std::string();
  if (!HeaderArchive::verify(Bytes) ||
      HeaderArchive(Bytes).text(KeyPath) != Key)
    return {};
  return Bytes;
}

Diagnostic notKept(size_t Bytes, size_t Largest) {
  constexpr unsigned MB = 20;
  Diagnostic D;
  D.Level = Diagnostic::Severity::Warning;
  D.Message = "The precompiled prefix takes " + std::to_string(Bytes >> MB) +
              " MB, and each process will make it anew: the cache takes files "
              "of up to half of its limit, here " +
              std::to_string(Largest >> MB) + " MB.";
  return D;
}

} // namespace

PrefixStore::PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
                         const EngineConfig &Config)
    : Baked(Baked), Plans(Plans), Folder(Config.PrefixCacheDir),
      Largest(Config.CacheLimit / 2),
      IsOurs(Baked.text(ClangVersionPath) == clangVersionText()),
      WithoutOwn{{Baked}, Plans.prefixFolders(), Plans.systemFolders()} {}

std::string PrefixStore::key(const CompileOptions &O, const Plan &P) const {
  KeyBuilder K;
  K.add(Version).add(clang::getClangFullVersion()).add(Baked.checksum());
  K.add(uint64_t(O.Lang)).add(O.Prefix);
  K.add(prefixVersion(O.Prefix, Plans.prefixFolders()));
  const std::vector<std::string> Own = Plans.prefixIncludeDirs(O);
  for (const auto *List : {&P.PrefixTraits, &Plans.prefixFolders(), &Own}) {
    K.add(uint64_t(List->size()));
    for (const std::string &S : *List)
      K.add(S);
  }
  return K.finish();
}

Status PrefixStore::give(const CompileOptions &O, Plan &P) {
  P.Files = WithoutOwn;
  if (O.Prefix.empty())
    return {};
  P.Invocation.getPreprocessorOpts().ImplicitPCHInclude =
      prefixPaths(O.Lang).Precompiled;
  if (IsOurs && P.PrefixTraits.empty() && Plans.prefixFolders().empty() &&
      O.Prefix == Baked.text(PrefixTextPath))
    return {};
  const std::string Key = key(O, P);
  std::lock_guard<std::mutex> Guard(Lock);
  auto &Known = Made[Key];
  if (!Known.Bytes || !areUnchanged(Known.Files)) {
    CLINCH_TRY_ASSIGN(Known, entry(O, P, Key));
  }
  P.OwnPrefix = Known.Bytes;
  P.PrefixFiles = Known.Files;
  P.Warnings.insert(P.Warnings.end(), Known.Warnings.begin(),
                    Known.Warnings.end());
  const HeaderArchive Own(*Known.Bytes);
  P.Files.Archives.insert(P.Files.Archives.begin(), Own);
  P.PrefixIsTold = !Own.text(ToldPath).empty();
  if (P.PrefixIsOpening)
    leaveToPrefix(P);
  return {};
}

/// What stands before the opening of a text is before the prefix.
void PrefixStore::leaveToPrefix(Plan &P) {
  clang::PreprocessorOptions &PP = P.Invocation.getPreprocessorOpts();
  PP.UsePredefines = false;
  PP.Macros.clear();
  PP.Includes.clear();
  PP.MacroIncludes.clear();
}

Expected<PrefixStore::Entry> PrefixStore::entry(const CompileOptions &O,
                                                const Plan &P,
                                                const std::string &Key) {
  auto Of = [](std::string Bytes) {
    std::vector<FileDependency> Files = filesOf(HeaderArchive(Bytes));
    return Entry{std::make_shared<const std::string>(std::move(Bytes)),
                 std::move(Files),
                 {}};
  };
  if (!Folder.empty())
    if (std::string Bytes = readArchive(Folder, Key); !Bytes.empty())
      if (Entry Found = Of(std::move(Bytes)); areUnchanged(Found.Files))
        return Found;
  const CrashSubject Subject("the prefix");
  for (unsigned Count = 0; Count != MostBuilds; ++Count) {
    CLINCH_TRY_ASSIGN(std::string Built, build(O, P, Key));
    Entry Made = Of(std::move(Built));
    if (!areUnchanged(Made.Files))
      continue;
    if (!Folder.empty())
      keep(Made, Key);
    return Made;
  }
  return Error(Error::Kind::IO,
               "The headers of the prefix change while they are compiled.");
}

/// A prefix that is not cached is rebuilt by the next process: no error.
void PrefixStore::keep(Entry &Built, const std::string &Key) {
  const std::string Packed = packed(*Built.Bytes);
  if (Packed.size() > Largest)
    Built.Warnings.push_back(notKept(Packed.size(), Largest));
  else if (auto Ours = PrivateFolder::open(Folder, true);
           Ours && Ours->write(archiveName(Key), Packed))
    Written += Packed.size();
}

Expected<std::string> PrefixStore::build(const CompileOptions &O, const Plan &P,
                                         const std::string &Key) const {
  CLINCH_TRY_ASSIGN(clang::CompilerInvocation I, Plans.prefixInvocation(O, P));
  auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(WithoutOwn);
  CLINCH_TRY_ASSIGN(BuiltPrefix B,
                    buildPrefix(std::make_shared<clang::CompilerInvocation>(I),
                                FS, O.Prefix));
  ArchiveBuilder Archive;
  bool IsTold = B.HasWarnings;
  // Before the headers are read once more, when they may be others.
  Archive.add(FilesPath, listed(FS->dependencies(),
                                P.PrefixIsOpening ? std::vector<std::string>()
                                                  : Plans.prefixFolders()));
  for (const std::string &Path : B.Headers) {
    auto Text = FS->getBufferForFile(Path);
    if (!Text)
      return Error(Error::Kind::IO,
                   "The header `" + Path +
                       "` cannot be read: " + Text.getError().message() + ".");
    IsTold |= (*Text)->getBuffer().contains("__BASE_FILE__");
    Archive.add(Path, (*Text)->getBuffer().str());
  }
  Archive.add(ToldPath, IsTold ? "1" : "");
  Archive.add(prefixPaths(O.Lang).Precompiled, std::move(B.Precompiled));
  Archive.add(KeyPath, Key);
  return Archive.finish();
}
