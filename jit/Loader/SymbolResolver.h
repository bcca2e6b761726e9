//===- SymbolResolver.h - Names to addresses -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_SYMBOLRESOLVER_H
#define CLINCH_JIT_LOADER_SYMBOLRESOLVER_H

#include "LibraryFinder.h"
#include "clinch/Compiler/Options.h"

#include <string_view>
#include <vector>

namespace clinch {

/// Finds what an object leaves undefined: in the table of the host, the named
/// libraries, the process, and last the libraries that a compiler's own
/// output needs (libm, libmvec, libstdc++, libgcc_s).
class SymbolResolver {
public:
  SymbolResolver(const std::vector<SymbolDefinition> &Host,
                 const std::vector<LibraryHandle> &Libraries)
      : Host(Host), Libraries(Libraries) {}

  /// Null when nothing defines \p Name, which ends in a NUL.
  void *find(std::string_view Name) const;

private:
  const std::vector<SymbolDefinition> &Host;
  const std::vector<LibraryHandle> &Libraries;
};

/// "The code needs ... `a`, `b`."; each name once, sorted, and readable.
Error missingSymbols(std::vector<std::string> Names);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_SYMBOLRESOLVER_H
