//===- PrefixStore.h - The prefixes of a process -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_PREFIX_PREFIXSTORE_H
#define CLINCH_JIT_ENGINE_PREFIX_PREFIXSTORE_H

#include "../Engine.h"
#include "../Files/EngineFileSystem.h"
#include "../Options/Plan.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace clinch::engine {

/// What a compile sees of files, and where among them its prefix is.
struct PrefixUse {
  FileSources Files;
  std::string Path; ///< Empty: no prefix.
  std::string Own;  ///< The bytes of an archive that was made at run time.
};

/// Gives each compile its prefix: the baked one, or, for another Python or for
/// options that make the headers others, one that is made here, once, and kept
/// on disk by key. A file that is damaged, not ours or of another key is made
/// again.
class PrefixStore {
public:
  PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
              const EngineConfig &Config);

  Expected<std::shared_ptr<const PrefixUse>> get(const CompileOptions &O,
                                                 const Plan &P);

private:
  std::string key(Language Lang, const Plan &P) const;
  Expected<std::shared_ptr<const PrefixUse>> make(Language Lang, const Plan &P,
                                                  const std::string &Key);
  Expected<std::string> build(Language Lang, const Plan &P,
                              const std::string &Key) const;
  std::shared_ptr<const PrefixUse> use(Language Lang, std::string Bytes) const;

  const HeaderArchive &Baked;
  const Planner &Plans;
  std::string Folder;
  bool IsOurs;        ///< The Clang that runs made what is baked.
  std::string Python; ///< Its version, when it is not the build's.
  std::shared_ptr<const PrefixUse> None, BakedC, BakedCXX;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<const PrefixUse>> Made;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_PREFIX_PREFIXSTORE_H
