// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a compile sees.

#include "EngineFileSystem.h"

#include "lib/Support/Hash.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

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

static bool isBelow(llvm::StringRef Path,
                    const std::vector<std::string> &Folders) {
  return llvm::any_of(Folders, [&](llvm::StringRef Folder) {
    return Path.starts_with(Folder) &&
           Path.substr(Folder.size()).starts_with("/");
  });
}

bool EngineFileSystem::comesFromDisk(llvm::StringRef Path) const {
  return isBelow(Path, Sources.FromDisk);
}

void EngineFileSystem::missed(llvm::StringRef Path) {
  // Clang looks for this when it writes a precompiled header.
  constexpr llvm::StringLiteral OfApple = "/SDKSettings.json";
  if (Path != OfApple && !isBelow(Path, Sources.System))
    Seen.try_emplace(Path.str());
}

llvm::ErrorOr<vfs::Status> EngineFileSystem::status(const llvm::Twine &P) {
  llvm::SmallString<256> Storage;
  llvm::StringRef Path = pathOf(P, Storage);
  std::string_view Text;
  if (std::optional<vfs::Status> S = find(Path, Text))
    return *S;
  llvm::ErrorOr<vfs::Status> S = Disk->status(Path);
  if (!S)
    missed(Path);
  return S;
}

llvm::ErrorOr<std::unique_ptr<vfs::File>>
EngineFileSystem::openFileForRead(const llvm::Twine &P) {
  llvm::SmallString<256> Storage;
  llvm::StringRef Path = pathOf(P, Storage);
  std::string_view Text;
  if (std::optional<vfs::Status> S = find(Path, Text))
    return std::make_unique<FileInMemory>(
        std::move(*S),
        llvm::MemoryBuffer::getMemBuffer({Text.data(), Text.size()}, Path,
                                         /*RequiresNullTerminator=*/false));
  // Reading a device may never end, and opening a pipe that nobody writes to
  // blocks.
  llvm::ErrorOr<vfs::Status> Found = Disk->status(Path);
  if (Found && !Found->isRegularFile())
    return std::make_error_code(Found->isDirectory()
                                    ? std::errc::is_a_directory
                                    : std::errc::not_supported);
  llvm::ErrorOr<std::unique_ptr<vfs::File>> F = Disk->openFileForRead(Path);
  if (!F) {
    missed(Path);
    return F.getError();
  }
  llvm::ErrorOr<vfs::Status> S = (*F)->status();
  if (!S || !S->isRegularFile())
    return S ? std::make_error_code(std::errc::not_supported) : S.getError();
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> B =
      (*F)->getBuffer(Path, -1, true, /*IsVolatile=*/true);
  if (!B)
    return B.getError();
  llvm::StringRef Read = (*B)->getBuffer();
  Seen[Path.str()] = contentHash({Read.data(), Read.size()});
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

std::vector<FileDependency> EngineFileSystem::dependencies() const {
  std::vector<FileDependency> Result;
  Result.reserve(Seen.size());
  // A relative path stays relative: it means another file in another folder.
  for (const auto &[Path, Hash] : Seen)
    Result.push_back({Path, Hash});
  return Result;
}
