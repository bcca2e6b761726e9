// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefixes of a process.

#include "PrefixStore.h"

#include "../Bytes.h"
#include "../CrashRecovery/CrashGuard.h"
#include "../Files/PrefixPaths.h"
#include "PrefixBuilder.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include "clang/Basic/Version.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <optional>

using namespace clinch;
using namespace clinch::engine;
namespace zstd = llvm::compression::zstd;

namespace {

/// Of what a prefix is built to.
constexpr uint64_t Version = 4;

/// How often a prefix is built whose headers change meanwhile.
constexpr unsigned MostBuilds = 4;

constexpr const char *KeyPath = "/clinch/prefix/key",
                     *ManifestPath = "/clinch/prefix/manifest",
                     *ToldPath = "/clinch/prefix/told";

/// Returns \p M without the files that a process looks at once.
Manifest withoutFolders(Manifest M, const std::vector<std::string> &OfProcess) {
  llvm::erase_if(M.Entries, [&](const Manifest::Entry &E) {
    return llvm::any_of(OfProcess, [&](const std::string &Folder) {
      return (E.Path + "/").starts_with(Folder + "/");
    });
  });
  return M;
}

OwnPrefix prefixIn(std::string Archive) {
  OwnPrefix P;
  P.Inputs = ByteReader(HeaderArchive(Archive).text(ManifestPath)).manifest();
  P.Archive = std::move(Archive);
  return P;
}

/// Before compressed bytes, with a checksum and their size.
constexpr std::string_view PackedMark = "CLINCHZ1";

/// Returns \p Bytes compressed; nothing if LLVM was built without Zstandard. A
/// precompiled header is half as long by level 1, and 5 % shorter by level 3.
std::string packed(std::string_view Bytes) {
  if (!zstd::isAvailable())
    return {};
  llvm::SmallVector<uint8_t, 0> Short;
  zstd::compress(llvm::arrayRefFromStringRef({Bytes.data(), Bytes.size()}),
                 Short, /*Level=*/1);
  ByteWriter Body;
  Body.number(Bytes.size());
  Body.Out.append(Short.begin(), Short.end());
  return std::string(PackedMark).append(checksum(Body.Out)).append(Body.Out);
}

/// Returns nothing if \p Packed is damaged.
std::string unpacked(llvm::StringRef Packed) {
  const size_t SumSize = checksum({}).size();
  if (!zstd::isAvailable() || !Packed.consume_front(PackedMark) ||
      checksum(Packed.drop_front(std::min(SumSize, Packed.size()))) !=
          Packed.take_front(SumSize))
    return {};
  const llvm::StringRef Body = Packed.drop_front(SumSize);
  const size_t Size = ByteReader(Body).number();
  std::string Result(Size, '\0');
  size_t Written = Size;
  if (llvm::errorToBool(zstd::decompress(
          llvm::arrayRefFromStringRef(Body.drop_front(sizeof(uint64_t))),
          reinterpret_cast<uint8_t *>(Result.data()), Written)) ||
      Written != Size)
    return {};
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
      WithoutOwn{{Baked}, Plans.prefixFolders()} {}

std::string PrefixStore::key(const CompileOptions &O, const Plan &P,
                             const Macros &Used) const {
  KeyBuilder K;
  K.add(Version).add(clang::getClangFullVersion()).add(Baked.checksum());
  K.add(uint64_t(O.Lang)).add(O.Prefix);
  K.add(prefixVersion(O.Prefix, Plans.prefixFolders()));
  K.add(uint64_t(Used.size()));
  for (const auto &[Text, IsUndefined] : Used)
    K.add(Text).add(uint64_t(IsUndefined));
  const std::vector<std::string> Own = Plans.prefixIncludeDirs(O);
  for (const auto *List : {&P.PrefixTraits, &Plans.prefixFolders(), &Own}) {
    K.add(uint64_t(List->size()));
    for (const std::string &S : *List)
      K.add(S);
  }
  return K.finish();
}

/// Returns the macros that \p Used has or that may change what \p Prefix means
/// whose headers have \p Names.
static std::vector<Macro> usedMacros(const Plan &P,
                                     const std::vector<Macro> &Used,
                                     llvm::StringRef Prefix,
                                     llvm::StringRef Names) {
  std::vector<Macro> Result;
  for (const Macro &M : P.Macros)
    if (llvm::is_contained(Used, M) || mayChange(M, Prefix, Names))
      Result.push_back(M);
  return Result;
}

Status PrefixStore::give(const CompileOptions &O, Plan &P) {
  P.Files = WithoutOwn;
  if (O.Prefix.empty())
    return {};
  P.Invocation.getPreprocessorOpts().ImplicitPCHInclude =
      prefixPaths(O.Lang).Precompiled;
  const bool IsBaked = O.Prefix == Baked.text(PrefixTextPath);
  Macros Used =
      P.PrefixIsOpening
          ? P.Macros
          : usedMacros(P, {}, O.Prefix,
                       IsBaked ? Baked.text(prefixPaths(O.Lang).Names) : "");
  if (IsOurs && P.PrefixTraits.empty() && Plans.prefixFolders().empty() &&
      IsBaked && Used.empty())
    return {};
  CLINCH_TRY_ASSIGN(P.Own, withMacros(O, P, std::move(Used)));
  P.Warnings.insert(P.Warnings.end(), P.Own->Warnings.begin(),
                    P.Own->Warnings.end());
  const HeaderArchive Own(P.Own->Archive);
  P.Files.Archives.insert(P.Files.Archives.begin(), Own);
  P.PrefixIsTold = !Own.text(ToldPath).empty();
  if (P.PrefixIsOpening)
    leaveToPrefix(P);
  return {};
}

/// Finds the prefix that has all macros of \p P that its headers name, and no
/// other: compiles that differ in the rest share it.
Expected<PrefixStore::Prefix>
PrefixStore::withMacros(const CompileOptions &O, const Plan &P, Macros Used) {
  for (;;) {
    Expected<Prefix> Found = find(O, P, Used);
    Macros Wider = P.Macros; // Without some it may not compile.
    if (Found)
      Wider = usedMacros(
          P, Used, O.Prefix,
          HeaderArchive((*Found)->Archive).text(prefixPaths(O.Lang).Names));
    if (Wider.size() == Used.size())
      return Found;
    Used = std::move(Wider);
  }
}

/// The prefix has what the options say, too.
void PrefixStore::leaveToPrefix(Plan &P) {
  clang::PreprocessorOptions &PP = P.Invocation.getPreprocessorOpts();
  PP.UsePredefines = false;
  PP.Macros.clear();
  PP.Includes.clear();
  PP.MacroIncludes.clear();
}

Expected<PrefixStore::Prefix>
PrefixStore::find(const CompileOptions &O, const Plan &P, const Macros &Used) {
  const std::string Key = key(O, P, Used);
  std::shared_ptr<Slot> Place;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    std::erase_if(Slots, [](const auto &Other) {
      return Other.second.use_count() == 1 && Other.second->Made.expired();
    });
    std::shared_ptr<Slot> &Known = Slots[Key];
    if (!Known)
      Known = std::make_shared<Slot>();
    Place = Known;
  }
  std::lock_guard<std::mutex> Guard(Place->Building);
  if (Prefix Known = Place->Made.lock(); Known && Known->Inputs.isUnchanged())
    return Known;
  CLINCH_TRY_ASSIGN(Prefix Made, make(O, P, Used, Key));
  Place->Made = Made;
  return Made;
}

Expected<PrefixStore::Prefix> PrefixStore::make(const CompileOptions &O,
                                                const Plan &P,
                                                const Macros &Used,
                                                const std::string &Key) {
  if (!Folder.empty())
    if (std::string Bytes = readArchive(Folder, Key); !Bytes.empty())
      if (OwnPrefix Found = prefixIn(std::move(Bytes));
          Found.Inputs.isUnchanged())
        return std::make_shared<const OwnPrefix>(std::move(Found));
  const CrashSubject Subject("the prefix");
  for (unsigned Count = 0; Count != MostBuilds; ++Count) {
    CLINCH_TRY_ASSIGN(OwnPrefix Built, build(O, P, Used, Key));
    Manifest Files = Built.Inputs;
    Files.DependsOnMore = false;
    if (!Files.isUnchanged())
      continue;
    if (!Folder.empty() && !Built.Inputs.DependsOnMore)
      keep(Built, Key);
    return std::make_shared<const OwnPrefix>(std::move(Built));
  }
  return Error(Error::Kind::IO,
               "The headers of the prefix change while they are compiled.");
}

/// A prefix that is not cached is rebuilt by the next process: no error.
void PrefixStore::keep(OwnPrefix &Built, const std::string &Key) {
  const std::string Packed = packed(Built.Archive);
  if (Packed.empty())
    return;
  if (Packed.size() > Largest)
    Built.Warnings.push_back(notKept(Packed.size(), Largest));
  else if (auto Ours = PrivateFolder::open(Folder, true);
           Ours && Ours->write(archiveName(Key), Packed))
    Written += Packed.size();
}

Expected<OwnPrefix> PrefixStore::build(const CompileOptions &O, const Plan &P,
                                       const Macros &Used,
                                       const std::string &Key) const {
  CLINCH_TRY_ASSIGN(clang::CompilerInvocation I,
                    Plans.prefixInvocation(O, P, Used));
  auto FS = llvm::makeIntrusiveRefCnt<EngineFileSystem>(WithoutOwn);
  CLINCH_TRY_ASSIGN(BuiltPrefix B,
                    buildPrefix(std::make_shared<clang::CompilerInvocation>(I),
                                FS, FS->Recorder, O.Prefix));
  ArchiveBuilder Archive;
  // Before the headers are read once more, when they may be others.
  ByteWriter Inputs;
  Inputs.manifest(P.PrefixIsOpening ? FS->Recorder.finish()
                                    : withoutFolders(FS->Recorder.finish(),
                                                     Plans.prefixFolders()));
  Archive.add(ManifestPath, std::move(Inputs.Out));
  bool IsTold = B.HasWarnings || FS->Recorder.finish().DependsOnMore;
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
  Archive.add(prefixPaths(O.Lang).Names, std::move(B.Names));
  Archive.add(KeyPath, Key);
  return prefixIn(Archive.finish());
}
