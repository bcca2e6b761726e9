// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a compile sees.

#pragma once

#include "../Manifest.h"
#include "HeaderArchive.h"
#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <string>
#include <vector>

namespace clinch::engine {

/// Where files come from.
struct FileSources {
  std::vector<HeaderArchive> Archives; ///< The last is the built-in one.
  /// Folders whose files the built-in archive does not replace.
  std::vector<std::string> FromDisk;
  /// The archives have only what the disk lacks, and pipes are read.
  bool DiskFirst = false;
};

/// Looks in the archives in order, then on disk. Records lookups on disk.
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

  ManifestRecorder Recorder;

private:
  std::optional<llvm::vfs::Status> find(llvm::StringRef Path,
                                        std::string_view &Text) const;
  llvm::ErrorOr<llvm::vfs::Status> statusOnDisk(const std::string &Path);
  bool comesFromDisk(llvm::StringRef Path) const;

  FileSources Sources;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk;
};

/// Where LLVM reads in this thread, unless that is null, what it would read
/// from the disk. The assembler does so for what assembly in a text includes.
llvm::vfs::FileSystem *&filesOfThread();

/// Returns \p Text with its `#line` directives blanked, so that a debugger
/// counts the lines of \p Text.
std::string withoutLineDirectives(const std::string &Text);

/// Writes \p Text, without `#line` directives, to a file of its name below \p
/// Folder, or below the temporary folder if that is empty. Returns what was
/// written, under that file's name.
Expected<SourceText> writeDebugSource(const SourceText &Text, Language Lang,
                                      std::string Folder);

} // namespace clinch::engine
