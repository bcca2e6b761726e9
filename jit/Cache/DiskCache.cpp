// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects kept on disk.

#include "DiskCache.h"
#include "CacheEntry.h"
#include "lib/Support/Forks.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

using namespace clinch;

namespace {

bool endsIn(const std::string &Name, std::string_view Ending) {
  return Name.size() > Ending.size() &&
         Name.compare(Name.size() - Ending.size(), Ending.size(), Ending) == 0;
}

bool isEntry(const PrivateFolder::File &F) { return endsIn(F.Name, ".clinch"); }

bool isAside(const PrivateFolder::File &F) {
  return F.Name[0] == '.' && endsIn(F.Name, ".tmp");
}

bool usedBefore(const PrivateFolder::File &A, const PrivateFolder::File &B) {
  if (A.Used.tv_sec != B.Used.tv_sec)
    return A.Used.tv_sec < B.Used.tv_sec;
  return A.Used.tv_nsec < B.Used.tv_nsec;
}

std::string fromEnvironment(const char *Variable, const char *Below) {
  const char *Value = getenv(Variable);
  return Value && *Value ? std::string(Value) + Below : std::string();
}

} // namespace

std::string clinch::defaultCacheDir() {
  std::string Dir = fromEnvironment("CLINCH_CACHE_DIR", "");
  if (Dir.empty())
    Dir = fromEnvironment("XDG_CACHE_HOME", "/clinch");
  if (Dir.empty())
    Dir = fromEnvironment("HOME", "/.cache/clinch");
  return Dir;
}

std::string DiskCache::fileOf(const std::string &Key) {
  return Key + ".o.clinch";
}

bool DiskCache::isOurs(const PrivateFolder::File &F) {
  return isEntry(F) || isAside(F);
}

bool DiskCache::isAbandoned(const PrivateFolder::File &F) {
  constexpr time_t Hour = 3600;
  return isAside(F) && time(nullptr) - F.Used.tv_sec > Hour;
}

std::unique_ptr<DiskCache> DiskCache::open(const std::string &Dir,
                                           size_t Limit) {
  if (!PrivateFolder::open(Dir, true))
    return nullptr;
  return std::unique_ptr<DiskCache>(new DiskCache(Dir, Limit));
}

std::optional<EngineResult>
DiskCache::find(const std::string &Key, const std::vector<Stage> &Keep) const {
  auto Folder = PrivateFolder::open(Dir, false);
  if (!Folder)
    return std::nullopt;
  auto Bytes = Folder->read(fileOf(Key));
  if (!Bytes)
    return std::nullopt;
  auto Entry = decodeEntry(Key, *Bytes);
  if (!Entry || !Entry->Inputs.isUnchanged())
    return std::nullopt;
  std::vector<std::pair<Stage, std::string>> Kept;
  for (Stage S : Keep) {
    if (S == Stage::Obj)
      continue; // The entry itself has the object.
    auto Same = [&](const auto &Pair) { return Pair.first == S; };
    auto Found = std::find_if(Entry->Kept.begin(), Entry->Kept.end(), Same);
    if (Found == Entry->Kept.end())
      return std::nullopt;
    Kept.push_back(std::move(*Found));
  }
  Entry->Kept = std::move(Kept);
  return Entry;
}

bool DiskCache::store(const std::string &Key, const EngineResult &R) {
  auto Folder = PrivateFolder::open(Dir, true);
  if (!Folder)
    return false;
  std::string Bytes = encodeEntry(Key, R);
  const bool IsKept = !R.Inputs.DependsOnMore && Bytes.size() <= Limit &&
                      Folder->write(fileOf(Key), Bytes);
  if (const size_t Added = (IsKept ? Bytes.size() : 0) + R.PrefixBytes)
    makeRoom(Added);
  return IsKept;
}

/// Removes the least recently used of \p Entries, but never the newest, until
/// \p Wanted of their \p Total bytes are left. Returns how many are.
static size_t forget(const PrivateFolder &Folder,
                     std::vector<PrivateFolder::File> Entries, size_t Total,
                     size_t Wanted) {
  std::sort(Entries.begin(), Entries.end(), usedBefore);
  Entries.pop_back();
  for (const PrivateFolder::File &F : Entries) {
    if (Total <= Wanted)
      break;
    if (Folder.remove(F.Name))
      Total -= F.Bytes;
  }
  return Total;
}

void DiskCache::makeRoom(size_t Added) {
  LockGuard Guard(lockOf(ProcessLock::DiskCaches));
  if (Added <= Allowance) {
    Allowance -= Added;
    return;
  }
  auto Folder = PrivateFolder::open(Dir, false);
  if (!Folder)
    return;
  size_t Total = 0;
  std::vector<PrivateFolder::File> Entries;
  for (PrivateFolder::File &F : Folder->list()) {
    if (isAbandoned(F))
      Folder->remove(F.Name);
    else if (isEntry(F)) {
      Total += F.Bytes;
      Entries.push_back(std::move(F));
    }
  }
  if (Total > Limit)
    Total = forget(*Folder, std::move(Entries), Total, Limit - Limit / 5);
  // Others write too, so measure again well before the rest is used up; but not
  // for each entry where little is left.
  constexpr size_t Share = 16, Least = 64;
  Allowance = std::max((Limit - std::min(Total, Limit)) / Share, Limit / Least);
}

size_t DiskCache::clear() {
  auto Folder = PrivateFolder::open(Dir, false);
  size_t Removed = 0;
  if (!Folder)
    return Removed;
  for (const PrivateFolder::File &F : Folder->list())
    if (isOurs(F) && Folder->remove(F.Name))
      Removed += F.Bytes;
  return Removed;
}
