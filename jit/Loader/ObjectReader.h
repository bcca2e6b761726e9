//===- ObjectReader.h - What an object needs, and whether it is one -*- C++
//-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JITLink trusts the objects that it is given; foreign bytes (a pickle) may be
// damaged. What it relies on is checked here first, once.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_OBJECTREADER_H
#define CLINCH_JIT_LOADER_OBJECTREADER_H

#include "clinch/Support/Expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace clinch {

/// A symbol that an object uses and does not define.
struct Import {
  std::string_view Name; ///< In the bytes of the object, a NUL behind it.
  bool IsWeak = false;
  void *Address = nullptr;
};

struct ObjectSummary {
  std::vector<Import> Imports;
  std::vector<std::string_view> Definitions; ///< For other objects.
  /// Names of what the code can change: its globals and statics. Sorted.
  std::vector<std::string> Variables;
  bool HasInitializers = false; ///< Some function is to be run before.
};

/// The summary of a relocatable ELF file for x86-64 that can be linked.
Expected<ObjectSummary> readObject(std::string_view Bytes);

} // namespace clinch

#endif // CLINCH_JIT_LOADER_OBJECTREADER_H
