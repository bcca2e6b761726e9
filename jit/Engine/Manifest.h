// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that a compile looked at.
//
// The outcome of a compile or a link depends on its key and on the files that
// it looked at. A recorder lists these; the caches reuse an outcome only while
// its manifest is unchanged.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace clinch {

/// Identifies one version of a file. All zero: no version.
struct FileStamp {
  uint64_t Device = 0, Inode = 0, Size = 0;
  int64_t Modified = 0, Changed = 0; ///< In nanoseconds.

  bool operator==(const FileStamp &) const = default;
  /// Returns the stamp of the file at \p Path. All zero if there is none, or if
  /// it was changed so recently that another change might leave the same stamp.
  static FileStamp of(const std::string &Path);
};

struct Manifest {
  enum class Kind {
    File,    ///< Was read. The hash is of its contents.
    Exists,  ///< Was found, but not read. The hash is the type in its mode.
    Missing, ///< Was not found.
    /// Was looked into. The hash is the path of another folder of the search
    /// path, if a link makes both one. Its Absent and Names follow.
    Folder,
    Absent, ///< Was not found in the folder before it.
    Names   ///< The path begins names of that folder; the hash is of those.
  };
  struct Entry {
    Kind K;
    std::string Path; ///< May be relative to the working folder.
    std::string Hash; ///< Of a File, if empty, only the stamp counts.
    FileStamp Stamp;  ///< Of a File or Folder.
  };
  std::vector<Entry> Entries;
  /// Nobody can check it: the date, the time, or a pipe matters as well.
  bool DependsOnMore = false;
  void add(const Manifest &Other);
  /// Returns whether a compile would see the same now. Reads a file only if its
  /// stamp is another.
  bool isUnchanged() const;
};

/// Call each function before the lookup: then no later change is missed.
class ManifestRecorder {
public:
  /// Notes that somebody asks what is at \p Path.
  void looks(const std::string &Path);
  /// Notes that somebody reads \p Path. Call read() with the contents.
  void opens(const std::string &Path);
  void read(const std::string &Path, std::string_view Contents);
  /// Notes that somebody loads the file at \p Path without our reading it.
  void loads(const std::string &Path);
  /// Notes that somebody lists the names in \p Folder that begin so.
  void lists(const std::string &Folder, const std::string &Begin);
  void dependsOnMore() { Result.DependsOnMore = true; }
  /// What was recorded so far counts only if more follows: the folders of a
  /// search path do not matter to a compile that searches for nothing.
  void searchPathIsKnown() { Depends = false; }

  Manifest finish() const;

private:
  struct LookedInto {
    FileStamp Raw, Stamp; ///< The second is zero unless it can be trusted.
    bool Exists = false;
    bool IsSearched = false; ///< Is in the search path.
    std::set<std::string> Absent;
    std::map<std::string, std::string> Names; ///< Beginning to hash.
  };
  LookedInto &folderOf(const std::string &Path);

  std::map<std::string, LookedInto> Folders;
  std::map<std::string, Manifest::Entry> Found;
  std::set<std::string> Missing; ///< Not in an existing folder.
  Manifest Result;
  bool Depends = true;
};

} // namespace clinch
