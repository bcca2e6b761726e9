// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, and folders that belong to the user alone.
//
// What lies in such a folder is run or shown as ours, so the folder must be
// ours: owned by this user and not writable by others. A symbolic link to it is
// followed if this user or root made it: others could choose where it leads.
// `link` and `link/` are the same.

#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace clinch {

/// An open folder that is ours.
class PrivateFolder {
public:
  /// Creates the folder and its parents if \p Create.
  static std::optional<PrivateFolder> open(std::string Path, bool Create);
  /// Creates one at \p Path and six more characters, and completes \p Path.
  static std::optional<PrivateFolder> createAt(std::string &Path);
  /// Opens the folder \p Name in this one, creating it if it is missing. It
  /// must be ours too, and no link.
  std::optional<PrivateFolder> below(const std::string &Name) const;
  ~PrivateFolder();
  PrivateFolder(PrivateFolder &&Other) noexcept;
  PrivateFolder &operator=(PrivateFolder &&) = delete;

  /// Returns the bytes of a file of ours and marks it as used now.
  std::optional<std::string> read(const std::string &Name) const;
  /// Writes a temporary file and renames it: others see all of it or nothing.
  bool write(const std::string &Name, std::string_view Bytes) const;
  bool remove(const std::string &Name) const;

  struct File {
    std::string Name;
    size_t Bytes = 0;
    timespec Used = {};
  };
  std::vector<File> list() const;

private:
  explicit PrivateFolder(int Folder) : Folder(Folder) {}
  static std::optional<PrivateFolder> checked(int Number);

  int Folder;
};

/// Owns a file descriptor; it is negative if the file could not be opened.
struct FileDescriptor {
  explicit FileDescriptor(int Number) : Number(Number) {}
  ~FileDescriptor();
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;

  /// Returns the file's status, or nullopt if it is not a regular file. Open
  /// with O_NONBLOCK, so as not to wait for a pipe.
  std::optional<struct stat> regular() const;
  /// Returns the first \p Size bytes, or nullopt if there are fewer.
  std::optional<std::string> read(size_t Size) const;

  int Number;
};

} // namespace clinch
