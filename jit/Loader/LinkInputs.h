//===- LinkInputs.h - What a link is made of --------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_LINKINPUTS_H
#define CLINCH_JIT_LOADER_LINKINPUTS_H

#include "Linker.h"
#include "ObjectReader.h"
#include "jit/Libraries/LibraryFinder.h"

namespace clinch {

/// The object of a request, and what it needs.
struct LinkInputs {
  /// ELF: the request's, and those of archives that it needs.
  std::vector<std::string_view> Objects;
  /// Sorted by name; without an address where none was found.
  std::vector<Import> Imports;
  /// Names of what the code can change. Sorted.
  std::vector<std::string> Variables;
  bool HasInitializers = false; ///< Some function is to be run before.
  std::vector<Library> Libraries;
};

Expected<LinkInputs> gatherInputs(const LinkRequest &R);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LINKINPUTS_H
