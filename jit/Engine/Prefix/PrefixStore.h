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
/// headers, options or macros that change them, one that is built once and
/// cached on disk by key, compressed. A file that is damaged, not ours or of
/// another key is rebuilt, and so is one whose manifest has changed.
class PrefixStore {
public:
  PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
              const EngineConfig &Config);

  /// Sets what a compile by \p P reads.
  Status give(const CompileOptions &O, Plan &P);
  /// Returns how many bytes were put on disk since the last call.
  size_t takeWritten() { return Written.exchange(0); }

private:
  using Prefix = std::shared_ptr<const OwnPrefix>;
  /// The prefix of a key, in memory while a plan or a compile uses it. Who
  /// builds it has the lock, and others that need the same wait.
  struct Slot {
    std::mutex Building;
    std::weak_ptr<const OwnPrefix> Made;
  };
  using Macros = std::vector<Macro>;

  std::string key(const CompileOptions &O, const Plan &P,
                  const Macros &Used) const;
  Expected<Prefix> find(const CompileOptions &O, const Plan &P,
                        const Macros &Used);
  Expected<Prefix> make(const CompileOptions &O, const Plan &P,
                        const Macros &Used, const std::string &Key);
  Expected<Prefix> withMacros(const CompileOptions &O, const Plan &P,
                              Macros Used);
  void keep(OwnPrefix &Built, const std::string &Key);
  Expected<OwnPrefix> build(const CompileOptions &O, const Plan &P,
                            const Macros &Used, const std::string &Key) const;

  static void leaveToPrefix(Plan &P);

  const HeaderArchive &Baked;
  const Planner &Plans;
  std::string Folder;
  const size_t Largest; ///< Bytes of a file.
  std::atomic<size_t> Written = 0;
  bool IsOurs; ///< This Clang made the baked prefix.
  FileSources WithoutOwn;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<Slot>> Slots; ///< By key.
};

} // namespace clinch::engine
