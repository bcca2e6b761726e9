// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open file.

#pragma once

#include <optional>
#include <string>
#include <sys/stat.h>

namespace clinch {

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
