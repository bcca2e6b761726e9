// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files kept in memory.
//
// A sorted table of paths and contents, read in place from this library's
// read-only data or from a mapped cache file. It holds the precompiled prefixes
// and every header they include, so no header need be installed where the
// library runs.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace clinch::engine {

/// A view of an archive, which does not own its bytes.
class HeaderArchive {
public:
  struct Entry {
    uint32_t Index;        ///< The index in the table.
    bool Directory;        ///< A folder, without contents.
    std::string_view Text; ///< A NUL byte follows it.
  };

  HeaderArchive() = default;
  explicit HeaderArchive(std::string_view Bytes);

  /// Returns false if \p Bytes are no archive or a damaged one. Checks every
  /// offset and the checksum.
  static bool verify(std::string_view Bytes);

  std::optional<Entry> find(std::string_view Path) const;
  /// Returns the text at \p Path, or an empty string if there is none.
  std::string_view text(std::string_view Path) const;
  /// A hash of the contents, as hexadecimal digits.
  std::string_view checksum() const;
  uint32_t size() const { return Count; }
  std::string_view path(uint32_t Index) const;

private:
  Entry entry(uint32_t Index) const;

  std::string_view Bytes;
  uint32_t Count = 0;
};

/// Collects files, then lays them out.
class ArchiveBuilder {
public:
  /// Adds a file and the folders above it.
  void add(std::string_view Path, std::string Text);
  bool contains(const std::string &Path) const { return Files.count(Path); }
  std::string finish() const;

private:
  std::map<std::string, std::optional<std::string>, std::less<>> Files;
};

} // namespace clinch::engine
