//===- SymbolResolver.cpp - Names to addresses ---------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SymbolResolver.h"
#include "Builtins.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <dlfcn.h>

using namespace clinch;

/// Returns a library of the compiler's runtime, opened at the first use and
/// then kept, like libc.
static void *runtimeLibrary(size_t Which) {
  static constexpr const char *Names[] = {"libmvec.so.1", "libm.so.6",
                                          "libstdc++.so.6", "libgcc_s.so.1",
                                          "libatomic.so.1"};
  static constinit std::array<std::atomic<void *>, std::size(Names)> Handles;
  if (!Handles[Which])
    Handles[Which] = dlopen(Names[Which], RTLD_NOW | RTLD_LOCAL);
  return Handles[Which];
}

static void *findInRuntime(const char *Name, bool IsVectorFunction) {
  size_t First = IsVectorFunction ? 0 : 1;
  size_t End = IsVectorFunction ? 1 : 5;
  for (size_t I = First; I < End; ++I)
    if (void *Library = runtimeLibrary(I))
      if (void *Address = dlsym(Library, Name))
        return Address;
  return nullptr;
}

Resolved clinch::findSymbol(std::string_view Name,
                            const std::map<std::string, void *> &Host,
                            const std::vector<Library> &Libraries) {
  if (auto Given = Host.find(std::string(Name)); Given != Host.end())
    return {Given->second, {}};
  const char *Text = Name.data();
  for (const Library &L : Libraries) {
    if (L.Handle)
      if (void *Address = dlsym(L.Handle.get(), Text))
        return {Address, {}};
    if (L.Archive)
      if (auto Object = L.Archive->objectDefining(Name); !Object.empty())
        return {nullptr, Object};
  }
  // The tables of CPU features must match the compiler's version.
  if (Name.starts_with("__cpu_"))
    return {findBuiltin(Name), {}};
  if (void *Address = dlsym(RTLD_DEFAULT, Text))
    return {Address, {}};
  if (void *Address = findInRuntime(Text, Name.starts_with("_ZGV")))
    return {Address, {}};
  return {findBuiltin(Name), {}};
}

Error clinch::missingSymbols(std::vector<std::string> Names) {
  std::sort(Names.begin(), Names.end());
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  std::string Text = Names.size() == 1
                         ? "A symbol is missing: expected the host, a named "
                           "library or the process to define "
                         : "Symbols are missing: expected the host, a named "
                           "library or the process to define ";
  std::vector<Diagnostic> Diags(Names.size());
  for (size_t I = 0; I < Names.size(); ++I) {
    Diags[I].Message = llvm::demangle(Names[I]);
    Text += (I ? ", `" : "`") + Names[I] + "`";
    if (Diags[I].Message != Names[I])
      Text += " (" + Diags[I].Message + ")";
  }
  return Error(Error::Kind::Link, Text + ".", std::move(Diags));
}
