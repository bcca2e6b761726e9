// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, and folders that belong to the user alone.

#include "lib/Support/PrivateFolder.h"

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

constexpr int FolderFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool isOurs(const struct stat &S) {
  if (S.st_uid != geteuid() || (S.st_mode & S_IWOTH))
    return false;
  return !(S.st_mode & S_IWGRP) || S.st_gid == getegid();
}

/// Whether a symbolic link stands there that this user or root made.
bool isOurLink(const std::string &Path) {
  struct stat S;
  return lstat(Path.c_str(), &S) == 0 && S_ISLNK(S.st_mode) &&
         (S.st_uid == geteuid() || S.st_uid == 0);
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

std::optional<PrivateFolder> PrivateFolder::checked(int Number) {
  if (Number < 0)
    return std::nullopt;
  PrivateFolder Folder(Number);
  struct stat S;
  if (fstat(Number, &S) != 0 || !isOurs(S))
    return std::nullopt;
  return Folder;
}

std::optional<PrivateFolder> PrivateFolder::open(std::string Path,
                                                 bool Create) {
  while (Path.size() > 1 && Path.back() == '/')
    Path.pop_back();
  if (Path.empty())
    return std::nullopt;
  int Number = ::open(Path.c_str(), FolderFlags);
  if (Number < 0 && errno == ENOTDIR && isOurLink(Path))
    Number = ::open(Path.c_str(), FolderFlags & ~O_NOFOLLOW);
  if (Number < 0 && Create && errno == ENOENT && makeFolders(Path))
    Number = ::open(Path.c_str(), FolderFlags);
  return checked(Number);
}

std::optional<PrivateFolder> PrivateFolder::createAt(std::string &Path) {
  Path += "XXXXXX";
  return mkdtemp(Path.data()) ? open(Path, false) : std::nullopt;
}

std::optional<PrivateFolder>
PrivateFolder::below(const std::string &Name) const {
  mkdirat(Folder, Name.c_str(), 0700);
  return checked(openat(Folder, Name.c_str(), FolderFlags));
}

PrivateFolder::PrivateFolder(PrivateFolder &&Other) noexcept
    : Folder(std::exchange(Other.Folder, -1)) {}

PrivateFolder::~PrivateFolder() {
  if (Folder >= 0)
    ::close(Folder);
}

std::optional<std::string> PrivateFolder::read(const std::string &Name) const {
  FileDescriptor File(openat(Folder, Name.c_str(),
                             O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  std::optional<struct stat> S = File.regular();
  if (!S || !isOurs(*S))
    return std::nullopt;
  std::optional<std::string> Bytes = File.read(size_t(S->st_size));
  if (Bytes)
    markUsed(File.Number, *S);
  return Bytes;
}

bool PrivateFolder::write(const std::string &Name,
                          std::string_view Bytes) const {
  std::string Aside = nameAside(Name);
  {
    FileDescriptor File(
        openat(Folder, Aside.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
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

bool PrivateFolder::remove(const std::string &Name) const {
  return unlinkat(Folder, Name.c_str(), 0) == 0;
}

std::vector<PrivateFolder::File> PrivateFolder::list() const {
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

FileDescriptor::~FileDescriptor() {
  if (Number >= 0)
    ::close(Number);
}

std::optional<struct stat> FileDescriptor::regular() const {
  struct stat S;
  if (Number < 0 || fstat(Number, &S) != 0 || !S_ISREG(S.st_mode))
    return std::nullopt;
  return S;
}

std::optional<std::string> FileDescriptor::read(size_t Size) const {
  std::string Bytes(Size, '\0');
  size_t Have = 0;
  while (Have < Size) {
    ssize_t Got = ::read(Number, Bytes.data() + Have, Size - Have);
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got <= 0)
      return std::nullopt;
    Have += size_t(Got);
  }
  return Bytes;
}
