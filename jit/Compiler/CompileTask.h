//===- CompileTask.h - One compile, from key to code -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_COMPILETASK_H
#define CLINCH_JIT_COMPILER_COMPILETASK_H

#include "CodeRegistry.h"
#include "clinch/Compiler/Session.h"
#include "jit/Cache/DiskCache.h"
#include "jit/Compiler/Linkable.h"
#include "jit/Loader/Linker.h"

#include <chrono>
#include <functional>
#include <string>

namespace clinch {

/// Makes, or finds, the code of one text. The session gives it what it needs;
/// Result and Stats are what it found out.
class CompileTask {
public:
  using EngineSource = std::function<Expected<Engine *>()>;

  CompileTask(const SourceText &Text, const CompileOptions &O,
              std::string ContentKey, DiskCache *Disk, EngineSource Engines);

  /// The code and what is known of it. Waits when another thread makes it.
  Expected<std::shared_ptr<const LiveCode>> run();
  /// Null when no cache has it.
  Expected<std::shared_ptr<const LiveCode>> find();
  /// The same from an object that is at hand, instead of compiling.
  Expected<std::shared_ptr<const LiveCode>> runWith(std::string Object);

  /// The object alone, not loaded.
  Expected<Linkable> linkable();

  Module::Stats Stats;
  std::shared_ptr<const CompileRecord> Record;

private:
  using Code = std::shared_ptr<const LiveCode>;

  Code findLive();
  Expected<Code> lead();
  Expected<Code> make();
  Expected<Code> finish(EngineResult R);
  Expected<Code> load(std::string_view Object);
  Code linkFromDisk();
  LinkRequest requestFor(std::string_view Object) const;
  Expected<EngineResult> compile();
  std::optional<EngineResult> readDisk();
  bool isEnough(const CompileRecord &R) const;
  void addStage(const char *Name, std::chrono::steady_clock::time_point Begin);

  const SourceText &Text;
  const CompileOptions &O;
  std::string ContentKey, Key;
  DiskCache *Disk; ///< Null: none.
  EngineSource Engines;
};

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_COMPILETASK_H
