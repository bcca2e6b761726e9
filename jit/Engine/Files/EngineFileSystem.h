// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a compile sees.

#pragma once

#include "../Engine.h"
#include "HeaderArchive.h"

#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <string>
#include <vector>

namespace clinch::engine {

/// Where files come from.
struct FileSources {
  std::vector<HeaderArchive> Archives; ///< The last is the built-in one.
  /// Folders whose files the built-in archive does not replace.
  std::vector<std::string> FromDisk;
  /// System folders. A file that is missing there is not recorded: one that is
  /// installed later shadows no other.
  std::vector<std::string> System;
};

/// Looks in the archives in order, then on disk. Records lookups on disk, so
/// that a cached object can be checked against them later.
class EngineFileSystem : public llvm::vfs::FileSystem {
public:
  explicit EngineFileSystem(FileSources Sources);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Dir,
                                          std::error_code &EC) override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;

  /// Returns every file on disk that was read or missed, by path.
  std::vector<FileDependency> dependencies() const;

private:
  std::optional<llvm::vfs::Status> find(llvm::StringRef Path,
                                        std::string_view &Text) const;
  void missed(llvm::StringRef Path);

  bool comesFromDisk(llvm::StringRef Path) const;

  FileSources Sources;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk;
  std::map<std::string, std::string> Seen; ///< Path to hash.
};

} // namespace clinch::engine
