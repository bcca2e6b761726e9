//===- ModuleInfo.h - What a module holds ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_MODULEINFO_H
#define CLINCH_JIT_COMPILER_MODULEINFO_H

#include "CodeRegistry.h"

namespace clinch {

class CompileTask;

struct Module::Info {
  /// Returns the module of what \p Task found or made.
  static Module of(CompileTask &Task, std::shared_ptr<const LiveCode> Live,
                   std::string Key);

  std::string Key; ///< See contentKey().
  Module::Stats Stats;
  std::shared_ptr<const LiveCode> Live;
  /// The record of Live, or one with more stages.
  std::shared_ptr<const EngineResult> Record;
};

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_MODULEINFO_H
