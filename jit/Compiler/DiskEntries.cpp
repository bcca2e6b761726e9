// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of the cache on disk.

#include "jit/Compiler/DiskEntries.h"
#include "Key.h"
#include "jit/Cache/CacheEntry.h"
#include "jit/Cache/DiskCache.h"
#include "lib/Support/Hash.h"
#include "lib/Support/PrivateFolder.h"

using namespace clinch;

/// Only keys may name files.
static bool isKey(const std::string &Key) {
  constexpr size_t Digits = 32;
  return Key.size() == Digits &&
         Key.find_first_not_of("0123456789abcdef") == Key.npos;
}

bool clinch::isDiskEntry(const std::string &Key, std::string_view Bytes) {
  return isKey(Key) && decodeEntry(Key, Bytes).has_value();
}

std::optional<std::string> clinch::readDiskEntry(const std::string &Dir,
                                                 const std::string &Key) {
  auto Folder = PrivateFolder::open(Dir, false);
  if (!Folder || !isKey(Key))
    return std::nullopt;
  auto Bytes = Folder->read(DiskCache::fileOf(Key));
  if (!Bytes || !isDiskEntry(Key, *Bytes))
    return std::nullopt;
  return Bytes;
}

bool clinch::addDiskEntry(const std::string &Dir, const std::string &Key,
                          std::string_view Bytes) {
  if (!isDiskEntry(Key, Bytes))
    return false;
  auto Folder = PrivateFolder::open(Dir, true);
  return Folder && Folder->write(DiskCache::fileOf(Key), Bytes);
}

CodeOrigin clinch::codeOrigin(const CompileOptions &O) {
  return {buildFingerprint(),
          usesHost(O) ? contentHash(hostCPUFingerprint()) : std::string()};
}
