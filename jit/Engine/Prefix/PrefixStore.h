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

/// The files that a compile sees, and which of them is its prefix.
struct PrefixUse {
  FileSources Files;
  std::string Path; ///< Empty: no prefix.
  std::string Own;  ///< The bytes of an archive built at run time.
};

/// Returns each compile's prefix: the baked one or, for another Python or
/// options that change the headers, one that is built once and cached on disk
/// by key. A file that is damaged, not ours or of another key is rebuilt.
class PrefixStore {
public:
  PrefixStore(const HeaderArchive &Baked, const Planner &Plans,
              const EngineConfig &Config);

  Expected<std::shared_ptr<const PrefixUse>> get(const CompileOptions &O,
                                                 const Plan &P);

private:
  std::string key(Language Lang, const Plan &P) const;
  Expected<std::shared_ptr<const PrefixUse>>
  make(const CompileOptions &O, const Plan &P, const std::string &Key);
  Expected<std::string> build(Language Lang, const Plan &P,
                              const std::string &Key) const;
  std::shared_ptr<const PrefixUse> use(Language Lang, std::string Bytes) const;

  const HeaderArchive &Baked;
  const Planner &Plans;
  std::string Folder;
  bool IsOurs;        ///< This Clang made the baked prefix.
  std::string Python; ///< Its version, if not the build's.
  std::shared_ptr<const PrefixUse> None, BakedC, BakedCXX;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<const PrefixUse>> Made;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_PREFIX_PREFIXSTORE_H
