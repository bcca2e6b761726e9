// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names to addresses.

#include "SymbolResolver.h"
#include "Builtins.h"
#include "jit/Cuda/Runtime.h"
#include "jit/OpenMP/Runtime.h"
#include "jit/Simulate/Launch.h"
#include "lib/Math/Mathematics.h"

#include "llvm/Demangle/Demangle.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <dlfcn.h>

using namespace clinch;

/// Looks in the libraries of the compiler's runtime, opened at the first use
/// and then kept, like libc.
static void *findInRuntime(const char *Name) {
  static constexpr const char *Names[] = {"libm.so.6", "libstdc++.so.6",
                                          "libgcc_s.so.1", "libatomic.so.1"};
  static constinit std::array<std::atomic<void *>, std::size(Names)> Handles;
  for (size_t I = 0; I < std::size(Names); ++I) {
    if (!Handles[I])
      Handles[I] = dlopen(Names[I], RTLD_NOW | RTLD_LOCAL);
    if (Handles[I])
      if (void *Address = dlsym(Handles[I], Name))
        return Address;
  }
  return nullptr;
}

/// Looks in a library of ours that a wheel has: names that the headers declare
/// and an older system's libraries lack.
static void *findNewer(const char *Name) {
  static void *const Handle = [] {
    Dl_info Own;
    if (!dladdr(reinterpret_cast<void *>(&findNewer), &Own))
      return static_cast<void *>(nullptr);
    const std::string File = Own.dli_fname;
    const std::string Folder = File.substr(0, File.rfind('/') + 1);
    return dlopen((Folder + "libclinch-newer.so").c_str(),
                  RTLD_NOW | RTLD_LOCAL);
  }();
  return Handle ? dlsym(Handle, Name) : nullptr;
}

Resolved clinch::findSymbol(std::string_view Name,
                            const std::map<std::string, void *> &Host,
                            const std::vector<Library> &Libraries) {
  if (auto Given = Host.find(std::string(Name)); Given != Host.end())
    return {Given->second, {}};
  const char *Text = Name.data();
  // Before the libraries: one may have been made for another OpenMP.
  if (void *Address = openmp::find(Name))
    return {Address, {}};
  for (const Library &L : Libraries) {
    if (L.Handle)
      if (void *Address = dlsym(L.Handle.get(), Text))
        return {Address, {}};
    if (L.Archive)
      if (auto Object = L.Archive->objectDefining(Name); !Object.empty())
        return {nullptr, Object};
  }
  if (void *Address = findMathematics(Name))
    return {Address, {}};
  if (void *Address = simulate::findSimulation(Name))
    return {Address, {}};
  if (void *Address = cuda::findRuntime(Name))
    return {Address, {}};
  // The tables of CPU features must match the compiler's version.
  if (Name.starts_with("__cpu_"))
    return {findBuiltin(Name), {}};
  if (void *Address = dlsym(RTLD_DEFAULT, Text))
    return {Address, {}};
  if (void *Address = findInRuntime(Text))
    return {Address, {}};
  if (void *Address = findNewer(Text))
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
  return Error(Error::Kind::Link, Text + "." + openmp::whyMissing(Names),
               std::move(Diags));
}
