//===- LinkInputs.h - The inputs of a link ----------------------*- C++ -*-===//
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
  /// ELF objects: the request's and those it needs from archives.
  std::vector<std::string_view> Objects;
  /// Sorted by name; the address is null if none was found.
  std::vector<Import> Imports;
  /// Names of what the code can change, sorted.
  std::vector<std::string> Variables;
  std::vector<Module::Function> Signatures;    ///< Of the request's object.
  std::vector<std::string> SharedThreadLocals; ///< Of the request's object.
  bool HasInitializers = false; ///< Some function must run first.
  std::vector<Library> Libraries;
};

Expected<LinkInputs> gatherInputs(const LinkRequest &R);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_LINKINPUTS_H
