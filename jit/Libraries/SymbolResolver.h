//===- SymbolResolver.h - Names to addresses -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LIBRARIES_SYMBOLRESOLVER_H
#define CLINCH_JIT_LIBRARIES_SYMBOLRESOLVER_H

#include "LibraryFinder.h"
#include "clinch/Compiler/Options.h"

#include <string_view>
#include <vector>

namespace clinch {

/// Where a name was found: one of the two, or neither.
struct Resolved {
  void *Address = nullptr;
  std::string_view Object; ///< Of an archive; it is to be linked too.

  explicit operator bool() const { return Address || !Object.empty(); }
};

/// Finds what an object leaves undefined: in the table of the host, the named
/// libraries in their order, the process, and last what a compiler's own output
/// needs (libm, libmvec, libstdc++, libgcc_s, builtins).
class SymbolResolver {
public:
  SymbolResolver(const std::map<std::string, void *> &Host,
                 const std::vector<Library> &Libraries)
      : Host(Host), Libraries(Libraries) {}

  /// \p Name ends in a NUL.
  Resolved find(std::string_view Name) const;

private:
  const std::map<std::string, void *> &Host;
  const std::vector<Library> &Libraries;
};

/// "Symbols are missing: ... `a`, `b`."; each name once, sorted, and readable.
/// A diagnostic for each has its name as the message, and no place yet.
Error missingSymbols(std::vector<std::string> Names);

} // namespace clinch

#endif // CLINCH_JIT_LIBRARIES_SYMBOLRESOLVER_H
