//===- CacheFolder.h - The folder of the disk cache ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code from this folder is run, so it must be ours: owned by this user, not
// writable by others, and not a symbolic link. If it is not, or cannot be
// created, there is no disk cache; that is not an error.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_CACHE_CACHEFOLDER_H
#define CLINCH_JIT_CACHE_CACHEFOLDER_H

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// Returns $CLINCH_CACHE_DIR, $XDG_CACHE_HOME/clinch or ~/.cache/clinch; empty
/// if none of the variables is set.
std::string defaultCacheDir();

/// An open folder that is ours.
class CacheFolder {
public:
  /// Creates the folder and its parents if \p Create.
  static std::optional<CacheFolder> open(const std::string &Path, bool Create);
  ~CacheFolder();
  CacheFolder(CacheFolder &&Other) noexcept;
  CacheFolder &operator=(CacheFolder &&) = delete;

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
  explicit CacheFolder(int Folder) : Folder(Folder) {}

  int Folder;
};

} // namespace clinch

#endif // CLINCH_JIT_CACHE_CACHEFOLDER_H
