//===- PrefixFlags.cpp - The flags that change a prefix ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrefixFlags.h"

#include "../Files/PrefixPaths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <array>

using namespace clinch;
using namespace clinch::engine;

namespace {

/// Flags that change the code of a text, but not what its headers declare. A
/// `*` at the end matches any rest.
constexpr std::array<llvm::StringRef, 50> Harmless = {
    "-O*",
    "-g*",
    "-W*",
    "-w",
    "-pedantic*",
    "-m*",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-plt",
    "-fplt",
    "-pipe",
    "-pthread",
    "-shared",
    "-rdynamic",
    "-include*",
    "-imacros*",
    "-I*",
    "-isystem*",
    "-iquote*",
    "-idirafter*",
    "-fopenmp*",
    "-fno-openmp",
    "-fexceptions",
    "-fno-exceptions",
    "-fno-rtti",
    "-frtti",
    "-funwind-tables",
    "-fno-unwind-tables",
    "-fasynchronous-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fsanitize*",
    "-fno-sanitize*",
    "-fvisibility*",
    "-fveclib*",
    "-fwrapv",
    "-fno-wrapv",
    "-ftrapv",
    "-ftrivial-auto-var-init*",
    "-ffast-math",
    "-fdiagnostics*",
    "-fno-diagnostics*",
    "-fcolor-diagnostics",
    "-fno-color-diagnostics",
    "-fpermissive",
    "-fmessage-length*",
    "-ftemplate-depth*",
    "-fconstexpr*",
    "-fbracket-depth*"};

/// The same, with and without "no-" after the "-f".
constexpr std::array<llvm::StringRef, 26> HarmlessPairs = {
    "fast-math",
    "math-errno",
    "trapping-math",
    "signed-zeros",
    "associative-math",
    "reciprocal-math",
    "finite-math-only",
    "honor-nans",
    "honor-infinities",
    "rounding-math",
    "unsafe-math-optimizations",
    "strict-aliasing",
    "strict-overflow",
    "wrapv-pointer",
    "delete-null-pointer-checks",
    "finite-loops",
    "vectorize",
    "slp-vectorize",
    "tree-vectorize",
    "tree-slp-vectorize",
    "unroll-loops",
    "inline",
    "inline-functions",
    "omit-frame-pointer",
    "semantic-interposition",
    "stack-protector"};

/// Macros that the headers test, but that at most hide declarations.
constexpr std::array<llvm::StringRef, 4> HarmlessMacros = {
    "NPY_NO_DEPRECATED_API", "NDEBUG", "PY_SSIZE_T_CLEAN", "_FORTIFY_SOURCE"};

bool matches(llvm::StringRef Pattern, llvm::StringRef Flag) {
  return Pattern.consume_back("*") ? Flag.starts_with(Pattern)
                                   : Flag == Pattern;
}

/// Whether a flag that begins with -m changes the ABI.
bool changesABI(llvm::StringRef F) {
  return F.starts_with("-mlong-double") || F.starts_with("-mabi") ||
         F.starts_with("-mms-") || F.starts_with("-mstack") ||
         F.starts_with("-mcmodel");
}

bool isHarmless(llvm::StringRef F, Language Lang) {
  if (F == (Lang == Language::C ? "-std=gnu23" : "-std=gnu++20") ||
      F == (Lang == Language::C ? "-std=gnu2x" : "-std=gnu++2a"))
    return true;
  if (changesABI(F))
    return false;
  if (std::any_of(Harmless.begin(), Harmless.end(),
                  [&](llvm::StringRef P) { return matches(P, F); }))
    return true;
  llvm::StringRef Name = F;
  if (!Name.consume_front("-f"))
    return false;
  Name.consume_front("no-");
  Name = Name.take_until([](char C) { return C == '='; });
  return llvm::is_contained(HarmlessPairs, Name) ||
         Name.starts_with("fp-contract");
}

bool mentions(llvm::StringRef Text, llvm::StringRef Name) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != Text.npos;
       At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !IsPart(Text[At - 1])) &&
        (End == Text.size() || !IsPart(Text[End])))
      return true;
  }
  return false;
}

class PrefixHeaders {
public:
  PrefixHeaders(Language Lang, const HeaderArchive &Baked) : Baked(Baked) {
    std::string_view List = Baked.text(prefixPaths(Lang).Headers);
    llvm::SplitString(llvm::StringRef(List.data(), List.size()), Paths, "\n");
  }

  /// Whether the macro \p Define (`NAME` or `NAME=VALUE`) could change a
  /// header.
  bool lookAt(llvm::StringRef Define) const {
    llvm::StringRef Name = Define.take_until([](char C) { return C == '='; });
    if (Name.empty() || llvm::is_contained(HarmlessMacros, Name))
      return false;
    return std::any_of(Paths.begin(), Paths.end(), [&](llvm::StringRef Path) {
      std::string_view Text = Baked.text({Path.data(), Path.size()});
      return mentions(llvm::StringRef(Text.data(), Text.size()), Name);
    });
  }

private:
  const HeaderArchive &Baked;
  llvm::SmallVector<llvm::StringRef, 400> Paths;
};

} // namespace

std::vector<std::string>
clinch::engine::prefixFlags(const CompileOptions &O,
                            const std::vector<std::string> &Flags,
                            const HeaderArchive &Baked) {
  std::vector<std::string> Result;
  PrefixHeaders Headers(O.Lang, Baked);
  for (const std::string &D : O.Defines)
    if (Headers.lookAt(D))
      Result.push_back("-D" + D);
  for (llvm::StringRef F : Flags) {
    bool IsMacro = F.starts_with("-D") || F.starts_with("-U");
    if (IsMacro ? Headers.lookAt(F.drop_front(2)) : !isHarmless(F, O.Lang))
      Result.push_back(F.str());
  }
  return Result;
}
