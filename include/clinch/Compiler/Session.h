// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in, code out.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace clinch {

struct EngineResult;
struct Linkable;
struct LoadedCode;

/// A compiled text. Copies share the code; the last copy frees it.
class Module {
public:
  enum class CacheResult { Miss, HitMemory, HitDisk };
  /// About the compile that made the module.
  struct Stats {
    /// Milliseconds of "parse", "irgen", "opt", "codegen", "load" and others.
    std::vector<std::pair<std::string, double>> Stages;
    size_t SourceBytes = 0;
    size_t ObjectBytes = 0;
    size_t CodeBytes = 0; ///< Memory of code and data.
    CacheResult Cache = CacheResult::Miss;
  };

  /// A type of C or C++.
  struct CType {
    std::string Canonical; ///< As Clang knows it; an enum is its integer.
    std::string Written;   ///< As the author wrote it.
  };
  /// A function that the text defines for others.
  struct Function {
    std::string Symbol; ///< For lookup(); mangled in C++.
    std::string Name;   ///< In the text, with its namespaces.
    CType Result;
    std::vector<CType> Parameters;
    bool IsVariadic = false;
    /// As the C++ ABI writes it, and so `typeid(Fn).name()`; empty if it
    /// depends on values.
    std::string Type;
  };

  Module() = default;

  /// Returns the function that the text calls \p Name, such as `f` or
  /// `space::f`, if it is of the type \p Fn: `lookup<int(int)>("f")`.
  template <typename Fn>
    requires std::is_function_v<Fn>
  Expected<Fn *> lookup(std::string_view Name) const {
    CLINCH_TRY_ASSIGN(void *Found, lookupFor(Name, typeid(Fn).name()));
    return reinterpret_cast<Fn *>(Found);
  }
  void *lookup(std::string_view Name) const; ///< Null if there is no symbol.
  template <typename Fn> Fn lookupAs(std::string_view Name) const {
    return reinterpret_cast<Fn>(lookup(Name));
  }
  /// Returns the functions of the text, as Clang read it, also if the code
  /// comes from a cache. Empty if CompileOptions::Regions is not.
  const std::vector<Function> &functions() const;
  const std::string &types() const; ///< And data, as lines for Python.
  /// Names of the globals and statics that the code can change, sorted.
  const std::vector<std::string> &variables() const;

  explicit operator bool() const { return Code != nullptr; }
  const std::string &key() const { return Key; }
  const Stats &stats() const { return About; }
  const std::vector<Diagnostic> &warnings() const;
  /// A stage that CompileOptions::Keep names, else null; Obj's is an ELF file.
  const std::string *stage(Stage S) const;

private:
  friend class CompileTask;
  Expected<void *> lookupFor(std::string_view Name,
                             std::string_view Type) const;
  std::string Key;
  Stats About;
  std::shared_ptr<const LoadedCode> Code;
  std::shared_ptr<const EngineResult> Record; ///< Of Code; more stages, maybe.
};

/// Compiles text. Any number of threads may use one session at once. Modules of
/// the same key share their machine code. The first compile that misses every
/// cache loads Clang and LLVM.
class Session {
public:
  struct Options {
    bool DiskCache = true;
    /// Empty: $CLINCH_CACHE_DIR, or $XDG_CACHE_HOME/clinch, or ~/.cache/clinch.
    std::string CacheDir;
    size_t CacheLimit = size_t(512) << 20; ///< Bytes on disk.
    /// Path of libclinch-engine.so; empty: beside this library.
    std::string EnginePath;
    /// Folders with the headers of the prefix; empty: those of the build.
    std::vector<std::string> PrefixDirs;
    /// Compiles in a separate process, clinch-engine, as what has limits: it is
    /// killed when a compile overruns them or crashes. For untrusted texts. The
    /// object is linked in this process. Code and keys are the same.
    bool Isolated = false;
  };
  struct Stats {
    size_t Compiles = 0;
    size_t MemoryHits = 0;
    size_t DiskHits = 0;
    size_t LiveModules = 0; ///< Of the process, as sessions share code.
    size_t LiveBytes = 0;
  };

  /// From now on, if code that is made later crashes, or what it calls, says at
  /// which line of which text before whoever has the signal gets it: one line
  /// on standard error. Needs the signals SIGSEGV, SIGBUS, SIGFPE, SIGILL,
  /// SIGABRT. The code gets line tables, and so another key.
  static void enableCrashNotes();

  static std::shared_ptr<Session> create();
  static std::shared_ptr<Session> create(Options O);
  ~Session();

  Expected<Module> compile(const SourceText &Text, const CompileOptions &O);

  /// Returns what compile() would if a cache has it, else a null module.
  /// Compiles nothing and loads no compiler.
  Expected<Module> find(const SourceText &Text, const CompileOptions &O);

  /// As find(), with the object of an earlier compile() instead of a cache.
  Expected<Module> adopt(const SourceText &Text, const CompileOptions &O,
                         std::string Object);

  /// Returns what compile() would link, for the host's own linker; see
  /// Clinch::Orc. Links nothing.
  Expected<Linkable> linkable(const SourceText &Text, const CompileOptions &O);

  /// Precompiles the headers that compile() needs for these options, unless a
  /// cache has a compile of them: for threads that nobody waits for.
  Status prepare(const CompileOptions &O);

  /// Returns the key that compile() would use, the same in every process.
  std::string key(const SourceText &Text, const CompileOptions &O) const;
  Stats stats() const;
  /// Removes every entry on disk; returns how many bytes were freed.
  Expected<size_t> clearDiskCache();
  const std::string &cacheDir() const; ///< Empty if there is no disk cache.

private:
  Session();
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace clinch
