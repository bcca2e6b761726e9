// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to compile, and how.

#pragma once

#include <cstddef>
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
  Default, ///< O2 and this machine's instructions.
  Max      ///< O3 too; no errno of functions.
};

/// What a module can keep: intermediate results, what its text declares, what
/// the inliner and vectorisers say of it, and the times of a compile, in JSON.
enum class Stage { LLVM, LLVMOpt, Asm, Obj, Declarations, Remarks, Trace };

/// A text and the name that its diagnostics use. `#line` is honoured.
struct SourceText {
  std::string Name;
  std::string Text;
};

/// A range of the text that one author wrote, and the rules it is held to. The
/// rules are checked in the AST and by position, so no macro, `#include` or
/// `#line` hides a violation.
struct Region {
  enum class Role {
    Declarations, ///< Declares variables and types, nothing else.
    Code,         ///< May fail; may not return, nor jump out of itself.
    NoFail,       ///< As Code, and may not fail either (cleanups, syncs).
    Free          ///< May contain anything that is complete in itself.
  };
  std::string Name; ///< Used in messages.
  Role Kind = Role::Code;
  unsigned Block = 0;                ///< What its `fail` sets; 0: any number.
  std::string Label;                 ///< Where that goes; empty: anywhere.
  size_t Begin = 0, End = 0;         ///< In SourceText::Text; may not overlap.
  std::string Required;              ///< Every declared name contains this.
  std::vector<std::string> Reserved; ///< Names that it may not declare.
  std::vector<std::string> Parts;    ///< Names that its own `#line`s may use.
};

/// Everything that affects the code is part of the key; Keep, UseDiskCache,
/// Interrupted and the limits are not.
struct CompileOptions {
  Language Lang = Language::C;
  clinch::Tier Level = Tier::Default;
  /// "host" or one of `llc -mcpu=help`; empty: generic for Fast, else host.
  std::string CPU;
  std::string Device;    ///< "sm_90": the text is CUDA, its object is PTX.
  bool Launches = false; ///< Of Device: its object is the code of the host.
  bool Simulate = false; ///< Of Device: its kernels run on this processor.
  bool Check = false;    ///< Of Simulate: what is wrong with them is found.
  /// Stands before the text, precompiled once for all that have the same. Of
  /// headers in Session::Options, a process looks once at those it names.
  std::string Prefix;
  std::vector<std::string> IncludeDirs;
  std::vector<std::string> Defines;        ///< "NAME" or "NAME=VALUE".
  std::vector<std::string> Flags;          ///< As for clang.
  std::vector<std::string> ForbiddenFlags; ///< Not in Flags, nor the tier's.
  std::vector<std::string> Libraries;      ///< As for -l.
  std::vector<std::string> LibraryDirs;    ///< As for -L.
  std::vector<std::string> Objects;        ///< ELF files, linked in with it.
  std::map<std::string, void *> Symbols;   ///< Provided by the host.
  std::vector<Region> Regions;
  /// Declared outside the regions; no region may give them another meaning.
  std::vector<std::string> Variables;
  std::string FailureVariable; ///< What `fail` in a region jumps through.
  std::string Key;          ///< Stands for the text in the key; not with Debug.
  bool Saved = false;       ///< Linked to a file that is loaded without Clinch.
  bool Debug = false;       ///< Sources on disk, code known to gdb and perf.
  bool UseDiskCache = true; ///< False: no copy on disk.
  /// Links code anew that has variables, though it is loaded already.
  bool OwnVariables = false;
  unsigned TimeLimitMs = 0; ///< 0: none; else see Session::Options::Isolated.
  size_t MemoryLimit = 0;   ///< Bytes; the same.
  /// Called twenty times a second by a thread that waits for the compile. Once
  /// it is true the caller gets an Error of kind Host, and the compile goes on.
  std::function<bool()> Interrupted;
  std::vector<Stage> Keep; ///< Stages whose text the module keeps.
};

} // namespace clinch
