// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prefixes of a process.

#pragma once

#include "../Engine.h"
#include "../Options/Plan.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clinch::engine {

/// Gives each plan its prefix: the baked one or, for another text, other
/// headers or options that change them, one that is built once and cached on
/// disk by key, compressed. A file that is damaged, not ours or of another key
/// is rebuilt, and so is one whose headers have changed.
class PrefixStore {
public:
  PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
              const EngineConfig &Config);

  /// Sets what a compile by \p P reads.
  Status give(const CompileOptions &O, Plan &P);
  /// Returns how many bytes were put on disk since the last call.
  size_t takeWritten() { return Written.exchange(0); }

private:
  struct Entry {
    std::shared_ptr<const std::string> Bytes;
    std::vector<FileDependency> Files; ///< On disk, that it was made of.
    std::vector<Diagnostic> Warnings;
  };
  std::string key(const CompileOptions &O, const Plan &P) const;
  Expected<Entry> entry(const CompileOptions &O, const Plan &P,
                        const std::string &Key);
  void keep(Entry &Built, const std::string &Key);
  Expected<std::string> build(const CompileOptions &O, const Plan &P,
                              const std::string &Key) const;

  static void leaveToPrefix(Plan &P);

  const HeaderArchive &Baked;
  const Planner &Plans;
  std::string Folder;
  const size_t Largest; ///< Bytes of a file.
  std::atomic<size_t> Written = 0;
  bool IsOurs; ///< This Clang made the baked prefix.
  FileSources WithoutOwn;
  std::mutex Lock;
  std::map<std::string, Entry> Made; ///< By key.
};

} // namespace clinch::engine
