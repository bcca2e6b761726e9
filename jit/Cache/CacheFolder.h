//===- CacheFolder.h - The folder of the disk cache ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code is run from this folder, so it must be ours: owned by this user, not
// writable by others, and no link to another place. A folder that is anything
// else, or cannot be made, means that there is no disk cache; it is no error.
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

/// $CLINCH_CACHE_DIR, or $XDG_CACHE_HOME/clinch, or ~/.cache/clinch; empty
/// when none of them is set.
std::string defaultCacheDir();

/// A folder that was found to be ours, open for as long as this lives.
class CacheFolder {
public:
  /// Makes the folder, and those above it, when \p Create.
  static std::optional<CacheFolder> open(const std::string &Path, bool Create);
  ~CacheFolder();
  CacheFolder(CacheFolder &&Other) noexcept;
  CacheFolder &operator=(CacheFolder &&) = delete;

  /// The bytes of a file of ours, and marks it as used now.
  std::optional<std::string> read(const std::string &Name) const;
  /// Writes aside and renames: others see all of it or nothing.
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
