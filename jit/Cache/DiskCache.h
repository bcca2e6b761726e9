//===- DiskCache.h - Objects kept on disk ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_CACHE_DISKCACHE_H
#define CLINCH_JIT_CACHE_DISKCACHE_H

#include "CacheFolder.h"
#include "jit/Engine/Engine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clinch {

/// One file for each key. No lock: any number of threads and processes use one
/// folder, for a file is written aside and renamed. Whatever is wrong with the
/// folder or a file is a miss.
class DiskCache {
public:
  /// Null when \p Dir cannot be used.
  static std::unique_ptr<DiskCache> open(const std::string &Dir, size_t Limit);

  /// The entry, when it is whole, its files are as they were, and it has the
  /// stages of \p Keep; with those stages only.
  std::optional<EngineResult> find(const std::string &Key,
                                   const std::vector<Stage> &Keep) const;
  /// False when it could not be written, or is larger than the limit.
  bool store(const std::string &Key, const EngineResult &R);
  /// Removes every entry; the bytes that gave back.
  size_t clear();

  static std::string fileOf(const std::string &Key);
  /// Entries, precompiled headers, and what was written aside: nothing else in
  /// the folder is touched.
  static bool isOurs(const CacheFolder::File &F);
  /// Left aside by a process that is gone, as its age says.
  static bool isAbandoned(const CacheFolder::File &F);

private:
  DiskCache(std::string Dir, size_t Limit)
      : Dir(std::move(Dir)), Limit(Limit) {}
  void makeRoom(size_t Added);

  std::string Dir;
  size_t Limit;
  /// What may be written until the folder is measured again.
  size_t Allowance = 0;
};

} // namespace clinch

#endif // CLINCH_JIT_CACHE_DISKCACHE_H
