//===- Options.h - What to compile, and how ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_COMPILER_OPTIONS_H
#define CLINCH_COMPILER_OPTIONS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clinch {

enum class Language {
  C,  ///< gnu23
  CXX ///< gnu++20
};

enum class Tier {
  Fast,    ///< Answers in a couple of milliseconds.
  Default, ///< O2.
  Max      ///< O3, this machine's instructions, vector mathematics.
};

/// What can be looked at on the way from text to code.
enum class Stage { LLVM, LLVMOpt, Asm, Obj };

/// Text with the name that its diagnostics carry. `#line` is honoured.
struct SourceText {
  std::string Name;
  std::string Text;
};

/// A piece of the text that one author wrote: which bytes of it, and what they
/// must not do. Checked in the AST and by position: neither a macro, nor an
/// `#include`, nor a `#line` hides anything.
struct Region {
  enum class Role {
    Declarations, ///< Declares variables and types, nothing else.
    Code,         ///< May fail; may not return, nor jump out of itself.
    NoFail,       ///< As Code, and may not fail either (cleanups, syncs).
    Free          ///< May say what it likes, as long as it is whole.
  };
  std::string Name; ///< What messages call it.
  Role Kind = Role::Code;
  unsigned Block = 0;                ///< What `fail` in it says; 0: any number.
  size_t Begin = 0, End = 0;         ///< In SourceText::Text; no two overlap.
  std::string Required;              ///< Declared names contain this.
  std::vector<std::string> Reserved; ///< No declared name is one of these.
  std::vector<std::string> Parts;    ///< Names that its own `#line`s may give.
  /// Not 0: what it leaves behind, macros and declarations, is for the regions
  /// of this number and for those that see it.
  unsigned Support = 0;
  std::vector<unsigned> Sees; ///< Numbers of others, sorted.
};

/// All that has a say in the code is part of the key: not Keep, UseDiskCache,
/// Interrupted nor the limits.
struct CompileOptions {
  Language Lang = Language::C;
  clinch::Tier Level = Tier::Default;
  /// "host", or a name that `llc -mcpu=help` knows. Empty: generic for Fast
  /// and Default, host for Max.
  std::string CPU;
  /// The text begins with Python.h and NumPy's arrayobject.h, precompiled once
  /// and shared by every compile.
  bool PythonHeaders = false;
  std::vector<std::string> IncludeDirs;
  std::vector<std::string> Defines;        ///< "NAME" or "NAME=VALUE".
  std::vector<std::string> Flags;          ///< As for clang.
  std::vector<std::string> ForbiddenFlags; ///< Removed from Flags, once each.
  std::vector<std::string> Libraries;      ///< As for -l.
  std::vector<std::string> LibraryDirs;    ///< As for -L.
  std::map<std::string, void *> Symbols;   ///< That the host gives to the code.
  std::vector<Region> Regions;
  /// Declared outside of regions, which may give these names to nothing else.
  std::vector<std::string> Variables;
  /// Name of the symbol that `fail` in a region jumps through; see Region.
  std::string FailureVariable;
  bool Debug = false;       ///< Sources on disk, gdb and perf are told.
  bool UseDiskCache = true; ///< False: no copy on disk.
  unsigned TimeLimitMs = 0; ///< 0: none.
  size_t MemoryLimit = 0;   ///< Bytes; 0: none.
  /// Asked twenty times a second, on the thread that called, while it waits for
  /// the compile. True: it waits no longer and returns an Error of kind Host;
  /// the compile itself ends on its own thread when it next can.
  std::function<bool()> Interrupted;
  std::vector<Stage> Keep; ///< Stages whose text the module shall carry.
};

} // namespace clinch

#endif // CLINCH_COMPILER_OPTIONS_H
