//===- Session.h - Text in, code out -------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_COMPILER_SESSION_H
#define CLINCH_COMPILER_SESSION_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clinch {

class CompileTask;
struct Linkable;
struct LiveCode;

/// A compiled text. Copies share it; the code goes with the last copy.
class Module {
public:
  struct StageTime {
    std::string Name; ///< "parse", "irgen", "opt", "codegen", "load", ...
    double Milliseconds = 0;
  };
  enum class CacheResult { Miss, HitMemory, HitDisk };
  /// Of the compile that gave it.
  struct Stats {
    std::vector<StageTime> Stages;
    size_t SourceBytes = 0;
    size_t ObjectBytes = 0;
    size_t CodeBytes = 0; ///< Of memory, code and data.
    CacheResult Cache = CacheResult::Miss;
  };

  Module() = default;

  /// Null when there is no such symbol.
  void *lookup(std::string_view Name) const;
  template <typename Fn> Fn lookupAs(std::string_view Name) const {
    return reinterpret_cast<Fn>(lookup(Name));
  }
  /// Names of what the code can change: its globals and statics. Sorted.
  const std::vector<std::string> &variables() const;

  explicit operator bool() const { return Data != nullptr; }
  const std::string &key() const;
  const Stats &stats() const;
  const std::vector<Diagnostic> &warnings() const;
  /// The ELF object that the code was loaded from, when CompileOptions::Keep
  /// names Stage::Obj, else empty: it is larger than the code.
  const std::string &object() const;
  /// The text of a stage named in CompileOptions::Keep, else null.
  const std::string *stage(Stage S) const;

private:
  friend class Session;
  struct Info;
  std::shared_ptr<const Info> Data;
};

/// Compiles text. Any number of threads may use one session at once. Same key,
/// same machine code: the copy is counted. Clang and LLVM are loaded by the
/// first compile that no cache answers.
class Session {
public:
  struct Options {
    bool DiskCache = true;
    /// Empty: $CLINCH_CACHE_DIR, or $XDG_CACHE_HOME/clinch, or ~/.cache/clinch.
    std::string CacheDir;
    size_t CacheLimit = size_t(512) << 20; ///< Bytes on disk.
    /// Where libclinch-engine.so is; empty: beside this library.
    std::string EnginePath;
    /// Folders with Python.h and with numpy/arrayobject.h at run time, and the
    /// versions they must have; empty: those of the build.
    std::vector<std::string> PythonIncludeDirs;
    /// Whether texts are compiled in a process of Clinch's own, clinch-engine,
    /// which is ended when a compile overruns its limits or crashes: for texts
    /// from strangers. The object is linked here. Code and keys are the same.
    bool Isolated = false;
  };
  struct Stats {
    size_t Compiles = 0;
    size_t MemoryHits = 0;
    size_t DiskHits = 0;
    size_t LiveModules = 0; ///< Of the process, as code is shared by sessions.
    size_t LiveBytes = 0;
  };

  static Expected<std::shared_ptr<Session>> create();
  static Expected<std::shared_ptr<Session>> create(Options O);
  ~Session();

  Expected<Module> compile(const SourceText &Text, const CompileOptions &O);

  /// What compile() would return if some cache has it; else a null module.
  /// Nothing is compiled, no compiler is loaded.
  Expected<Module> find(const SourceText &Text, const CompileOptions &O);

  /// What compile() would return, from an object of an earlier compile() of
  /// the same text and options; nothing is compiled, no compiler is loaded.
  Expected<Module> adopt(const SourceText &Text, const CompileOptions &O,
                         std::string Object);

  /// What compile() would link, for a linker of the host's; see Clinch::Orc.
  /// Nothing is linked.
  Expected<Linkable> linkable(const SourceText &Text, const CompileOptions &O);

  /// The key that compile() would use. The addresses of O.Symbols are no part
  /// of it: it is the same in every process.
  std::string key(const SourceText &Text, const CompileOptions &O) const;
  Stats stats() const;
  /// Removes every entry on disk; returns how many bytes that gave back.
  Expected<size_t> clearDiskCache();
  const std::string &cacheDir() const; ///< Empty when there is no disk cache.

private:
  Session();
  Expected<Module> produce(const SourceText &Text, const CompileOptions &O,
                           std::string *Object);
  Module describe(CompileTask &Task, std::shared_ptr<const LiveCode> Live,
                  std::string Key);
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace clinch

#endif // CLINCH_COMPILER_SESSION_H
