//===- Flags.cpp - The flags of a command line -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flags.h"

#include <algorithm>
#include <array>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// A refused flag and the reason. A `*` at the end matches any rest.
struct Refusal {
  std::string_view Flag;
  const char *Why;
};

constexpr const char *Prints = "it prints, and a library never does";
constexpr const char *Writes = "it writes files";
constexpr const char *Chooses = "what is made is object code in memory";
constexpr const char *Calls = "it changes how functions are called";
constexpr const char *Elsewhere = "code is made for the process it runs in";
constexpr const char *HasNUL = "it has a NUL byte in it";
constexpr const char *LacksValue = "the value that follows it is missing";
constexpr const char *WholeProcess =
    "it changes LLVM for the whole process, or loads code into it";

constexpr std::array Refusals = {
    Refusal{"-E", Chooses},
    Refusal{"-S", Chooses},
    Refusal{"-fsyntax-only", Chooses},
    Refusal{"-emit-*", Chooses},
    Refusal{"--analyze*", Chooses},
    Refusal{"-flto*", Chooses},
    Refusal{"-m16", Elsewhere},
    Refusal{"-m32", Elsewhere},
    Refusal{"-mx32", Elsewhere},
    Refusal{"-miamcu", Elsewhere},
    Refusal{"--target*", Elsewhere},
    Refusal{"-target*", Elsewhere},
    Refusal{"-mgeneral-regs-only", Calls},
    Refusal{"-msoft-float", Calls},
    Refusal{"-o*", Writes},
    Refusal{"-M*", Writes},
    Refusal{"-save-*", Writes},
    Refusal{"--save-*", Writes},
    Refusal{"-ftime-*", Writes},
    Refusal{"-fprofile-*", Writes},
    Refusal{"-gen-cdb-fragment-path*", Writes},
    Refusal{"--coverage", Writes},
    Refusal{"-ftest-coverage", Writes},
    Refusal{"-gsplit-dwarf*", Writes},
    Refusal{"-ccc-*", Prints},
    Refusal{"-v", Prints},
    Refusal{"-###", Prints},
    Refusal{"-H", Prints},
    Refusal{"--help*", Prints},
    Refusal{"-help*", Prints},
    Refusal{"--version", Prints},
    Refusal{"-dump*", Prints},
    Refusal{"-print-*", Prints},
    Refusal{"--print-*", Prints},
    Refusal{"-fproc-stat-report*", Prints},
    Refusal{"-x*", "CompileOptions::Lang says which language it is"},
    // Clang reads the first letter of an extension whose name is empty.
    Refusal{"-cl-*", "it is for OpenCL, and the text is C or C++"},
    Refusal{"-l*", "libraries are named in CompileOptions::Libraries"},
    Refusal{"-L*", "their folders are named in CompileOptions::LibraryDirs"},
    Refusal{"-mllvm*", WholeProcess},
    Refusal{"-Xclang*", WholeProcess},
    Refusal{"-fplugin*", WholeProcess},
    Refusal{"-fpass-plugin*", WholeProcess},
    Refusal{"-include-pch*", "the prefix is the one that is precompiled"},
    Refusal{"-fmodule*", "modules are files beside the text"},
    Refusal{"-gmodules*", "modules are files beside the text"},
};

/// Flags whose value is the next argument.
constexpr std::array TakesValue = {
    std::string_view("-I"),          std::string_view("-D"),
    std::string_view("-U"),          std::string_view("-isystem"),
    std::string_view("-iquote"),     std::string_view("-idirafter"),
    std::string_view("-include"),    std::string_view("-imacros"),
    std::string_view("-iprefix"),    std::string_view("-iwithprefix"),
    std::string_view("--param"),     std::string_view("-isysroot"),
    std::string_view("--sysroot"),   std::string_view("-Xlinker"),
    std::string_view("-Xassembler"), std::string_view("-T"),
    std::string_view("-u"),          std::string_view("-z")};

bool matches(std::string_view Pattern, std::string_view Flag) {
  if (Pattern.back() == '*')
    return Flag.starts_with(Pattern.substr(0, Pattern.size() - 1));
  return Flag == Pattern;
}

Error refused(const std::string &Flag, const char *Why) {
  return Error(Error::Kind::InvalidArgument,
               "The flag `" + Flag.substr(0, Flag.find('\0')) +
                   "` cannot be used here: " + Why + ".")
      .about({Flag});
}

} // namespace

std::vector<std::string>
clinch::engine::effectiveFlags(const CompileOptions &O) {
  std::vector<std::string> Flags = O.Flags;
  for (const std::string &F : O.ForbiddenFlags) {
    auto At = std::find(Flags.begin(), Flags.end(), F);
    if (At != Flags.end())
      Flags.erase(At);
  }
  return Flags;
}

bool clinch::engine::takesValue(const std::string &Flag) {
  return std::find(TakesValue.begin(), TakesValue.end(), Flag) !=
         TakesValue.end();
}

Status clinch::engine::checkFlags(const std::vector<std::string> &Flags) {
  for (size_t I = 0; I != Flags.size(); ++I) {
    const std::string &F = Flags[I];
    if (F.empty() || F[0] != '-' || F == "-" || F == "--")
      return Error(Error::Kind::InvalidArgument,
                   "A flag that begins with `-` was expected, and found `" + F +
                       "`.")
          .about({F});
    if (F.find('\0') != F.npos)
      return refused(F, HasNUL);
    for (const Refusal &R : Refusals)
      if (matches(R.Flag, F))
        return refused(F, R.Why);
    if (!takesValue(F))
      continue;
    if (++I == Flags.size())
      return refused(F, LacksValue);
  }
  return Status::success();
}

const std::string *
clinch::engine::lastFlag(const std::vector<std::string> &Flags,
                         std::string_view Prefix) {
  for (size_t I = Flags.size(); I != 0; --I)
    if (Flags[I - 1].starts_with(Prefix))
      return &Flags[I - 1];
  return nullptr;
}
