//===- Preparer.h - The plan and prefix of a text ---------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_PREFIX_PREPARER_H
#define CLINCH_JIT_ENGINE_PREFIX_PREPARER_H

#include "../Files/HeaderArchive.h"
#include "../Options/Plan.h"
#include "PrefixStore.h"

namespace clinch::engine {

/// The plan for a text's options, and the prefix that precedes the text.
struct Prepared {
  std::shared_ptr<const Plan> P;
  std::shared_ptr<const PrefixUse> Use;
};

/// Prepares compiles and checks from the headers and prefixes that are baked
/// into this library. Any number of threads may use one.
class Preparer {
public:
  explicit Preparer(const EngineConfig &Config);

  Expected<Prepared> prepare(const CompileOptions &O);

private:
  HeaderArchive Baked;
  Planner Plans;
  PrefixStore Prefixes;
};

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_PREFIX_PREPARER_H
