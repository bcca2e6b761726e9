//===- CacheFolder.cpp - The folder of the disk cache --------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"

#include "Descriptor.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace clinch;

namespace {

bool isOurs(const struct stat &S) {
  if (S.st_uid != geteuid() || (S.st_mode & S_IWOTH))
    return false;
  return !(S.st_mode & S_IWGRP) || S.st_gid == getegid();
}

std::string fromEnvironment(const char *Variable, const char *Below) {
  const char *Value = getenv(Variable);
  return Value && *Value ? std::string(Value) + Below : std::string();
}

bool makeFolders(const std::string &Path) {
  for (size_t Slash = Path.find('/', 1); Slash != std::string::npos;
       Slash = Path.find('/', Slash + 1))
    mkdir(Path.substr(0, Slash).c_str(), 0700);
  return mkdir(Path.c_str(), 0700) == 0 || errno == EEXIST;
}

bool writeAll(int File, std::string_view Bytes) {
  while (!Bytes.empty()) {
    ssize_t Written = ::write(File, Bytes.data(), Bytes.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return false;
    Bytes.remove_prefix(size_t(Written));
  }
  return true;
}

/// Returns the name of a temporary file that no other thread or process uses.
std::string nameAside(const std::string &Name) {
  static std::atomic<unsigned> Count{0};
  return "." + Name + "." + std::to_string(getpid()) + "." +
         std::to_string(++Count) + ".tmp";
}

/// Hits within this many seconds count as one use.
constexpr time_t UseResolution = 60;

void markUsed(int File, const struct stat &S) {
  timespec Now;
  if (clock_gettime(CLOCK_REALTIME_COARSE, &Now) == 0 &&
      Now.tv_sec - S.st_mtim.tv_sec > UseResolution)
    futimens(File, nullptr);
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

std::optional<CacheFolder> CacheFolder::open(const std::string &Path,
                                             bool Create) {
  if (Path.empty())
    return std::nullopt;
  constexpr int Flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int Number = ::open(Path.c_str(), Flags);
  if (Number < 0 && Create && errno == ENOENT && makeFolders(Path))
    Number = ::open(Path.c_str(), Flags);
  struct stat S;
  if (Number < 0)
    return std::nullopt;
  CacheFolder Folder(Number);
  if (fstat(Number, &S) != 0 || !isOurs(S))
    return std::nullopt;
  return Folder;
}

CacheFolder::CacheFolder(CacheFolder &&Other) noexcept
    : Folder(std::exchange(Other.Folder, -1)) {}

CacheFolder::~CacheFolder() {
  if (Folder >= 0)
    ::close(Folder);
}

std::optional<std::string> CacheFolder::read(const std::string &Name) const {
  Descriptor File(openat(Folder, Name.c_str(),
                         O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  std::optional<struct stat> S = File.regular();
  if (!S || !isOurs(*S))
    return std::nullopt;
  std::optional<std::string> Bytes = File.read(size_t(S->st_size));
  if (Bytes)
    markUsed(File.Number, *S);
  return Bytes;
}

bool CacheFolder::write(const std::string &Name, std::string_view Bytes) const {
  std::string Aside = nameAside(Name);
  {
    Descriptor File(openat(Folder, Aside.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
    if (File.Number < 0)
      return false;
    if (!writeAll(File.Number, Bytes)) {
      remove(Aside);
      return false;
    }
  }
  if (renameat(Folder, Aside.c_str(), Folder, Name.c_str()) == 0)
    return true;
  remove(Aside);
  return false;
}

bool CacheFolder::remove(const std::string &Name) const {
  return unlinkat(Folder, Name.c_str(), 0) == 0;
}

std::vector<CacheFolder::File> CacheFolder::list() const {
  std::vector<File> Files;
  // Opens it again, because reading a folder moves its position.
  int Again = openat(Folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (Again < 0)
    return Files;
  std::unique_ptr<DIR, int (*)(DIR *)> Reader(fdopendir(Again), closedir);
  if (!Reader) {
    ::close(Again);
    return Files;
  }
  while (const dirent *Entry = readdir(Reader.get())) {
    struct stat S;
    if (fstatat(Folder, Entry->d_name, &S, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(S.st_mode))
      Files.push_back({Entry->d_name, size_t(S.st_size), S.st_mtim});
  }
  return Files;
}
