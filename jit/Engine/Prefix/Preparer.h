// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How texts are compiled.

#pragma once

#include "Openings.h"
#include "PrefixStore.h"

namespace clinch::engine {

/// Makes plans from the headers and prefixes that are baked into this library,
/// and keeps them, since the driver takes a millisecond. Any number of threads
/// may use one.
class Preparer {
public:
  explicit Preparer(const EngineConfig &Config);

  Expected<std::shared_ptr<const Plan>> prepare(const CompileOptions &O);

  struct Opened {
    OpenedText Text;
    std::shared_ptr<const Plan> How;
  };
  /// Returns what to compile in place of \p Text, which begins as others did.
  /// If that fails or says anything, the text itself is to be compiled.
  std::optional<Opened> open(const SourceText &Text, const CompileOptions &O);

  /// See PrefixStore.
  size_t takeWritten() { return Prefixes.takeWritten(); }

private:
  std::shared_ptr<const Plan> find(const std::string &Key);
  std::shared_ptr<const Plan> add(std::string Key, std::shared_ptr<Plan> P);

  HeaderArchive Baked;
  Planner Planning;
  PrefixStore Prefixes;
  Openings Begun;
  std::mutex Lock;
  std::map<std::string, std::shared_ptr<const Plan>> Plans;
};

} // namespace clinch::engine
