// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An engine for the tests.

#pragma once

#include "Engine.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" clinch::Engine *
clinch_engine_create(const clinch::EngineConfig &Config);

namespace clinch::testing {

/// The one engine that most tests share, as a process does.
inline Engine &engine() {
  static std::unique_ptr<Engine> E(clinch_engine_create({}));
  return *E;
}

inline Expected<EngineResult> compile(const std::string &Text,
                                      const CompileOptions &O) {
  return engine().compile({"text.c", Text}, O);
}

inline CompileOptions withFlags(std::vector<std::string> Flags) {
  CompileOptions O;
  O.Level = Tier::Fast;
  O.Flags = std::move(Flags);
  return O;
}

} // namespace clinch::testing
