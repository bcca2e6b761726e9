// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects kept on disk.

#pragma once

#include "jit/Engine/Engine.h"
#include "lib/Support/PrivateFolder.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clinch {

/// Returns $CLINCH_CACHE_DIR, $XDG_CACHE_HOME/clinch or ~/.cache/clinch; empty
/// if none of the variables is set.
std::string defaultCacheDir();

/// One file for each key. Any number of threads and processes may use a folder
/// without locks, because files are written aside and renamed. Any problem with
/// the folder or a file is a miss.
class DiskCache {
public:
  /// Returns null if \p Dir cannot be used.
  static std::unique_ptr<DiskCache> open(const std::string &Dir, size_t Limit);

  /// Returns the entry, with only the stages of \p Keep, if it is intact, its
  /// manifest is unchanged, and it has those stages.
  std::optional<EngineResult> find(const std::string &Key,
                                   const std::vector<Stage> &Keep) const;
  /// Returns false if it could not be written, exceeds the limit or cannot be
  /// checked later.
  bool store(const std::string &Key, const EngineResult &R);
  /// Removes every entry; returns how many bytes were freed.
  size_t clear();
  /// The same for all caches in one folder.
  size_t place() const { return std::hash<std::string>()(Dir); }

  static std::string fileOf(const std::string &Key);
  /// Returns whether \p F is an entry, a precompiled header or a temporary file
  /// of ours. No other file in the folder is touched.
  static bool isOurs(const PrivateFolder::File &F);
  /// Returns whether \p F is a temporary file too old to be in use.
  static bool isAbandoned(const PrivateFolder::File &F);

private:
  DiskCache(std::string Dir, size_t Limit)
      : Dir(std::move(Dir)), Limit(Limit) {}
  /// Where the limit is exceeded, a fifth of it is freed: looking through the
  /// folder takes long, and is not to be done for each entry.
  void makeRoom(size_t Added);

  std::string Dir;
  size_t Limit;
  /// How many bytes may be written before the folder is measured again.
  size_t Allowance = 0;
};

} // namespace clinch
