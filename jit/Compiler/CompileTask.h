// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One compile, from key to code.

#pragma once

#include "CodeRegistry.h"
#include "clinch/Compiler/Session.h"
#include "jit/Cache/DiskCache.h"
#include "jit/Compiler/Linkable.h"
#include "jit/Loader/Linker.h"

#include <chrono>
#include <functional>
#include <string>

namespace clinch {

/// Finds or compiles the code of one text. Stats and Record describe it.
class CompileTask {
public:
  /// Compiles the text in some engine.
  using CompileFn = std::function<Expected<EngineResult>()>;

  /// \p S are of the session that \p Disk is of.
  CompileTask(const SourceText &Text, const CompileOptions &O,
              const Session::Options &S, DiskCache *Disk, CompileFn InEngine);

  /// Returns the code. Waits if another thread is producing it.
  Expected<LiveCode> run();
  /// Returns the code, or null if no cache has it.
  Expected<LiveCode> find();
  /// Returns the code, linked from \p Object instead of compiled.
  Expected<LiveCode> runWith(std::string Object);

  /// Returns the module of what a call of those found or made; the last call.
  Module moduleOf(LiveCode Live);

  /// Returns the object, not loaded.
  Expected<Linkable> linkable();

  const SourceText &Text;
  Module::Stats Stats;
  std::shared_ptr<const EngineResult> Record; ///< Without the object.

private:
  /// Another session's code may live where this one's disk lacks it, on which
  /// the next process is to find it.
  enum class Need { Code, OnDiskToo };
  LiveCode findLive(Need N);
  /// Whether the caller gets this code itself. Otherwise changes Key.
  bool isSharedBy(const LoadedCode &Live);
  /// Returns what is live, or for CompileOptions::OwnVariables another link, of
  /// this object if there is one.
  Expected<LiveCode> linkAnew(LiveCode Live, std::string Object = {});
  /// Whether the disk has the code, had it, or would not take it.
  bool isOffered(const LoadedCode &Live) const;
  void setOffered(const LoadedCode &Live) const;
  Expected<LiveCode> lead();
  Expected<LiveCode> make();
  Expected<LiveCode> finish(EngineResult R);
  Expected<LiveCode> load(std::string_view Object,
                          const std::vector<Diagnostic> &Uses);
  LiveCode linkFromDisk();
  Expected<EngineResult> compile();
  std::optional<EngineResult> readDisk();
  void store(const EngineResult &R);
  bool isEnough(const LoadedCode &Live) const;
  void addStage(const char *Name, std::chrono::steady_clock::time_point Begin);

  const CompileOptions &O;
  std::string ContentKey, Key;
  DiskCache *Disk; ///< Null if there is no disk cache.
  CompileFn InEngine;
};

} // namespace clinch
