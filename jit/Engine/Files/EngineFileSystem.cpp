// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a compile sees.

#include "EngineFileSystem.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <mutex>
#include <unistd.h>

using namespace clinch;
using namespace clinch::engine;
namespace vfs = llvm::vfs;

namespace {

/// A file whose contents are in memory, for who reads it once.
class FileInMemory : public vfs::File {
public:
  FileInMemory(vfs::Status S, std::unique_ptr<llvm::MemoryBuffer> Text)
      : S(std::move(S)), Text(std::move(Text)) {}

  llvm::ErrorOr<vfs::Status> status() override { return S; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &, int64_t, bool, bool) override {
    if (!Text)
      return std::make_error_code(std::errc::bad_file_descriptor);
    return std::move(Text);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status S;
  std::unique_ptr<llvm::MemoryBuffer> Text;
};

llvm::StringRef pathOf(const llvm::Twine &Path,
                       llvm::SmallVectorImpl<char> &Storage) {
  Path.toVector(Storage);
  llvm::StringRef S(Storage.data(), Storage.size());
  if (S.contains("/.") || S.contains("//"))
    llvm::sys::path::remove_dots(Storage, /*remove_dot_dot=*/true);
  return {Storage.data(), Storage.size()};
}

} // namespace

EngineFileSystem::EngineFileSystem(FileSources Sources)
    : Sources(std::move(Sources)), Disk(vfs::createPhysicalFileSystem()) {}

std::optional<vfs::Status>
EngineFileSystem::find(llvm::StringRef Path, std::string_view &Text) const {
  using namespace llvm::sys::fs;
  const std::vector<HeaderArchive> &Archives = Sources.Archives;
  for (size_t I = 0; I != Archives.size(); ++I) {
    if (I + 1 == Archives.size() && comesFromDisk(Path))
      break;
    std::optional<HeaderArchive::Entry> E =
        Archives[I].find({Path.data(), Path.size()});
    if (!E)
      continue;
    Text = E->Text;
    // No disk has device numbers like these.
    UniqueID ID(UINT64_MAX - I, E->Index + 1);
    return vfs::Status(Path, ID, llvm::sys::TimePoint<>(), 0, 0, Text.size(),
                       E->Directory ? file_type::directory_file
                                    : file_type::regular_file,
                       all_read | all_exe);
  }
  return std::nullopt;
}

bool EngineFileSystem::comesFromDisk(llvm::StringRef Path) const {
  return llvm::any_of(Sources.FromDisk, [&](llvm::StringRef Folder) {
    return Path.starts_with(Folder) &&
           Path.substr(Folder.size()).starts_with("/");
  });
}

llvm::ErrorOr<vfs::Status>
EngineFileSystem::statusOnDisk(const std::string &Path) {
  // Clang looks for this when it writes a precompiled header.
  constexpr llvm::StringLiteral OfApple = "/SDKSettings.json";
  if (Path != OfApple)
    Recorder.looks(Path);
  return Disk->status(Path);
}

llvm::ErrorOr<vfs::Status> EngineFileSystem::status(const llvm::Twine &P) {
  llvm::SmallString<256> Storage;
  llvm::StringRef Path = pathOf(P, Storage);
  std::string_view Text;
  std::optional<vfs::Status> InArchive = find(Path, Text);
  if (InArchive && !Sources.DiskFirst)
    return *InArchive;
  llvm::ErrorOr<vfs::Status> S =
      statusOnDisk(Sources.DiskFirst ? P.str() : Path.str());
  return S || !InArchive ? S : *InArchive;
}

llvm::ErrorOr<std::unique_ptr<vfs::File>>
EngineFileSystem::openFileForRead(const llvm::Twine &P) {
  llvm::SmallString<256> Storage;
  const llvm::StringRef Normal = pathOf(P, Storage);
  const std::string Path = Sources.DiskFirst ? P.str() : Normal.str();
  std::string_view Text;
  if (std::optional<vfs::Status> S = find(Normal, Text);
      S && !(Sources.DiskFirst && statusOnDisk(Path)))
    return std::make_unique<FileInMemory>(
        std::move(*S),
        llvm::MemoryBuffer::getMemBuffer({Text.data(), Text.size()}, Path,
                                         /*RequiresNullTerminator=*/false));
  llvm::ErrorOr<vfs::Status> Found = statusOnDisk(Path);
  if (Found && !Found->isRegularFile() && Sources.DiskFirst) {
    Recorder.dependsOnMore();
    return Disk->openFileForRead(Path);
  }
  // Reading a device may never end, and opening a pipe that nobody writes to
  // blocks.
  if (Found && !Found->isRegularFile())
    return std::make_error_code(Found->isDirectory()
                                    ? std::errc::is_a_directory
                                    : std::errc::not_supported);
  if (Found)
    Recorder.opens(Path);
  llvm::ErrorOr<std::unique_ptr<vfs::File>> F = Disk->openFileForRead(Path);
  if (!F)
    return F.getError();
  llvm::ErrorOr<vfs::Status> S = (*F)->status();
  if (!S || !S->isRegularFile())
    return S ? std::make_error_code(std::errc::not_supported) : S.getError();
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> B =
      (*F)->getBuffer(Path, -1, true, /*IsVolatile=*/true);
  if (!B)
    return B.getError();
  llvm::StringRef Read = (*B)->getBuffer();
  Recorder.read(Path, {Read.data(), Read.size()});
  return std::make_unique<FileInMemory>(
      vfs::Status::copyWithNewSize(*S, Read.size()), std::move(*B));
}

vfs::directory_iterator EngineFileSystem::dir_begin(const llvm::Twine &Dir,
                                                    std::error_code &EC) {
  return Disk->dir_begin(Dir, EC);
}

std::error_code
EngineFileSystem::setCurrentWorkingDirectory(const llvm::Twine &Path) {
  return Disk->setCurrentWorkingDirectory(Path);
}

llvm::ErrorOr<std::string>
EngineFileSystem::getCurrentWorkingDirectory() const {
  return Disk->getCurrentWorkingDirectory();
}

vfs::FileSystem *&clinch::engine::filesOfThread() {
  static thread_local vfs::FileSystem *Files = nullptr;
  return Files;
}

// LLVM 22 has no option for it, so the linker's --wrap puts the second function
// in the place of llvm::vfs::getRealFileSystem(), which is the first.
using SharedFileSystem = llvm::IntrusiveRefCntPtr<vfs::FileSystem>;
SharedFileSystem
filesOnDisk() __asm__("__real__ZN4llvm3vfs17getRealFileSystemEv");
SharedFileSystem
filesToRead() __asm__("__wrap__ZN4llvm3vfs17getRealFileSystemEv");

SharedFileSystem filesToRead() {
  return filesOfThread() ? filesOfThread() : filesOnDisk();
}

namespace {

bool isLineDirective(llvm::StringRef Line) {
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("#"))
    return false;
  Line = Line.ltrim(" \t");
  return Line.starts_with("line ") || Line.starts_with("line\t") ||
         (!Line.empty() && llvm::isDigit(Line[0]));
}

std::string fileName(const SourceText &Text, Language Lang) {
  std::string Name;
  for (char C : llvm::sys::path::stem(Text.Name))
    Name += llvm::isAlnum(C) || C == '-' || C == '_' ? C : '_';
  if (Name.size() > 64)
    Name.resize(64);
  // Keep the author's name, for `break NAME:LINE`.
  return Name + (Lang == Language::C ? ".c" : ".cpp");
}

/// Opens the user's folder below the temporary one. If another user made it
/// first, makes one that cannot be foreseen.
std::optional<PrivateFolder> openTemporary(std::string &Path) {
  llvm::SmallString<128> Folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Folder);
  Path = (Folder + "/clinch-debug-" + std::to_string(geteuid())).str();
  if (auto Known = PrivateFolder::open(Path, true))
    return Known;
  static std::mutex Lock;
  static std::string Own;
  std::lock_guard<std::mutex> Guard(Lock);
  if (auto Known = PrivateFolder::open(Own, false)) {
    Path = Own;
    return Known;
  }
  auto Made = PrivateFolder::createAt(Path += "-");
  Own = Path;
  return Made;
}

/// Opens the folder of debug sources: the cache's, if \p Path is one.
std::optional<PrivateFolder> openFolder(std::string &Path) {
  if (Path.empty())
    return openTemporary(Path);
  auto Cache = PrivateFolder::open(Path, true);
  Path += "/debug";
  return Cache ? Cache->below("debug") : std::nullopt;
}

} // namespace

std::string clinch::engine::withoutLineDirectives(const std::string &Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (llvm::StringRef Rest = Text; !Rest.empty();) {
    auto [Line, After] = Rest.split('\n');
    if (isLineDirective(Line))
      Result.append(Line.size(), ' ');
    else
      Result += Line;
    if (Line.size() != Rest.size())
      Result += '\n';
    Rest = After;
  }
  return Result;
}

Expected<SourceText> clinch::engine::writeDebugSource(const SourceText &Text,
                                                      Language Lang,
                                                      std::string Folder) {
  SourceText Result;
  Result.Text = withoutLineDirectives(Text.Text);
  const std::string Hash = contentHash(Result.Text).substr(0, 12);
  const std::string File = fileName(Text, Lang);
  auto Open = openFolder(Folder);
  auto Own = Open ? Open->below(Hash) : std::nullopt;
  Result.Name = Folder + "/" + Hash + "/" + File;
  if (!Own ||
      (Own->read(File) != Result.Text && !Own->write(File, Result.Text)))
    return Error(Error::Kind::IO, "The text for the debugger cannot be written "
                                  "to `" +
                                      Result.Name + "`.");
  return Result;
}
