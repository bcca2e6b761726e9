// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a compile looked at.

#include "Manifest.h"

#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

using namespace clinch;

namespace {

constexpr int64_t Second = 1'000'000'000;

int64_t nanoseconds(const timespec &T) {
  return int64_t(T.tv_sec) * Second + T.tv_nsec;
}

FileStamp stampOf(const struct stat &S) {
  return {uint64_t(S.st_dev), uint64_t(S.st_ino), uint64_t(S.st_size),
          nanoseconds(S.st_mtim), nanoseconds(S.st_ctim)};
}

std::optional<struct stat> statusOf(const std::string &Path) {
  struct stat S;
  return stat(Path.c_str(), &S) == 0 ? std::optional(S) : std::nullopt;
}

std::string typeIn(const struct stat &S) {
  return std::to_string(S.st_mode & S_IFMT);
}

/// Returns the hash of a regular file, or an empty string: reading a pipe or a
/// device may take what others wait for, or never end.
std::string hashOf(const std::string &Path) {
  FileDescriptor File(open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::optional<struct stat> S = File.regular();
  std::optional<std::string> Text =
      S ? File.read(size_t(S->st_size)) : std::nullopt;
  return Text ? contentHash(*Text) : "";
}

bool isSameFile(const FileStamp &A, const FileStamp &B) {
  return A.Device == B.Device && A.Inode == B.Inode;
}

std::string namesIn(const std::string &Folder, const std::string &Begin) {
  std::vector<std::string> Names;
  if (DIR *D = opendir(Folder.c_str())) {
    while (const dirent *Entry = readdir(D))
      if (std::string_view(Entry->d_name).starts_with(Begin))
        Names.emplace_back(Entry->d_name);
    closedir(D);
  }
  std::sort(Names.begin(), Names.end());
  KeyBuilder Key;
  for (const std::string &Name : Names)
    Key.add(Name);
  return Key.finish();
}

std::string folderIn(const std::string &Path) {
  const size_t Slash = Path.rfind('/');
  return Slash == Path.npos ? "." : Path.substr(0, std::max<size_t>(Slash, 1));
}

std::string nameIn(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

bool isMissing(const std::string &Path) {
  return access(Path.c_str(), F_OK) != 0 &&
         (errno == ENOENT || errno == ENOTDIR);
}

} // namespace

static FileStamp ifSettled(const FileStamp &Stamp) {
  // The clock of files has ticks of some milliseconds; FAT's has two seconds.
  constexpr int64_t Settled = 3 * Second;
  timespec Now = {};
  clock_gettime(CLOCK_REALTIME, &Now);
  const int64_t Age =
      nanoseconds(Now) - std::max(Stamp.Modified, Stamp.Changed);
  return Age > Settled ? Stamp : FileStamp();
}

FileStamp FileStamp::of(const std::string &Path) {
  const std::optional<struct stat> S = statusOf(Path);
  return S ? ifSettled(stampOf(*S)) : FileStamp();
}

void Manifest::add(const Manifest &Other) {
  Entries.insert(Entries.end(), Other.Entries.begin(), Other.Entries.end());
  DependsOnMore |= Other.DependsOnMore;
}

bool Manifest::isUnchanged() const {
  bool IsFolderSame = false; // Of the last Folder.
  auto IsSame = [&](const Entry &E) {
    const bool IsInFolder = E.K == Kind::Absent || E.K == Kind::Names;
    if (IsInFolder && IsFolderSame)
      return true;
    if (E.K == Kind::Missing || E.K == Kind::Absent)
      return isMissing(E.Path);
    if (E.K == Kind::Names)
      return namesIn(folderIn(E.Path), nameIn(E.Path)) == E.Hash;
    const std::optional<struct stat> S = statusOf(E.Path);
    if (E.K == Kind::Exists)
      return S && typeIn(*S) == E.Hash;
    const bool IsStampSame = S && stampOf(*S) == E.Stamp;
    if (E.K == Kind::File)
      return IsStampSame || (!E.Hash.empty() && hashOf(E.Path) == E.Hash);
    IsFolderSame = IsStampSame;
    const auto Other = E.Hash.empty() ? std::nullopt : statusOf(E.Hash);
    return E.Hash.empty() ||
           (S && Other && isSameFile(stampOf(*S), stampOf(*Other)));
  };
  return !DependsOnMore && std::all_of(Entries.begin(), Entries.end(), IsSame);
}

ManifestRecorder::LookedInto &
ManifestRecorder::folderOf(const std::string &Path) {
  std::string Folder = folderIn(Path);
  auto [At, IsNew] = Folders.try_emplace(std::move(Folder));
  if (IsNew) {
    const std::optional<struct stat> S = statusOf(At->first);
    At->second.Exists = S.has_value();
    At->second.Raw = S ? stampOf(*S) : FileStamp();
    At->second.Stamp = ifSettled(At->second.Raw);
  }
  return At->second;
}

void ManifestRecorder::looks(const std::string &Path) {
  if (Found.count(Path))
    return;
  LookedInto &Folder = folderOf(Path);
  const std::optional<struct stat> S = statusOf(Path);
  if (S && S_ISDIR(S->st_mode)) {
    LookedInto &Itself = folderOf(Path + "/");
    Itself.IsSearched = true;
    return;
  }
  Depends = true;
  struct stat Link;
  if (S)
    Found[Path] = {Manifest::Kind::Exists, Path, typeIn(*S), {}};
  else if (Folder.Exists && lstat(Path.c_str(), &Link) != 0)
    Folder.Absent.insert(Path);
  else // What a link leads to may come without a change of the folder.
    Missing.insert(Path);
}

void ManifestRecorder::opens(const std::string &Path) {
  Depends = true;
  if (Manifest::Entry &E = Found[Path];
      E.K != Manifest::Kind::File || E.Path.empty())
    E = {Manifest::Kind::File, Path, "", FileStamp::of(Path)};
}

void ManifestRecorder::read(const std::string &Path,
                            std::string_view Contents) {
  constexpr const char *Never = "changed while it was read";
  std::string &Known = Found[Path].Hash;
  std::string Hash = contentHash(Contents);
  Known = Known.empty() || Known == Hash ? Hash : Never;
}

void ManifestRecorder::loads(const std::string &Path) {
  opens(Path);
  if (Manifest::Entry &E = Found[Path]; E.Stamp == FileStamp())
    E.Hash = hashOf(Path);
}

void ManifestRecorder::lists(const std::string &Folder,
                             const std::string &Begin) {
  Depends = true;
  const std::string Path = Folder + "/" + Begin;
  LookedInto &Listed = folderOf(Path);
  Listed.Names[Path] = namesIn(Folder, Begin);
}

Manifest ManifestRecorder::finish() const {
  Manifest M = Result;
  using Kind = Manifest::Kind;
  for (const auto &[Path, E] : Found)
    if (Depends || E.K == Kind::File)
      M.Entries.push_back(E);
  if (!Depends)
    return M;
  for (const std::string &Path : Missing)
    M.Entries.push_back({Kind::Missing, Path, "", {}});
  for (const auto &[Path, F] : Folders) {
    if (!F.IsSearched && F.Absent.empty() && F.Names.empty())
      continue;
    const auto Same =
        std::find_if(Folders.begin(), Folders.end(), [&](const auto &Other) {
          return Other.second.IsSearched && isSameFile(Other.second.Raw, F.Raw);
        });
    const bool IsAnother = F.IsSearched && Same->first != Path;
    M.Entries.push_back(
        {Kind::Folder, Path, IsAnother ? Same->first : "", F.Stamp});
    for (const std::string &Absent : F.Absent)
      M.Entries.push_back({Kind::Absent, Absent, "", {}});
    for (const auto &[Names, Hash] : F.Names)
      M.Entries.push_back({Kind::Names, Names, Hash, {}});
  }
  return M;
}
