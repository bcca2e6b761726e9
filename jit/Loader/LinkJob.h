// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs and results of one link.

#pragma once

#include "LineTable.h"
#include "LoadedCode.h"
#include "ObjectReader.h"
#include "ThreadLocals.h"
#include "jit/Libraries/LibraryFinder.h"

#include "llvm/ExecutionEngine/Orc/SymbolStringPool.h"

#include <optional>
#include <vector>

namespace clinch {

/// Functions that run before the code is used, or in reverse before it is
/// freed.
struct FunctionArray {
  using Function = void (*)();
  unsigned long Priority; ///< The lowest is first.
  size_t Object;          ///< Index in the job; the last is first.
  const Function *Begin;
  size_t Count;
};

struct LinkJob {
  /// ELF objects: the text's own, those given and those needed from archives.
  std::vector<std::string_view> Objects;
  /// Sorted by name; the address is null if none was found.
  std::vector<Import> Imports;
  ObjectSummary Own;            ///< Of the text and those given.
  bool HasInitializers = false; ///< Some function must run first.
  bool HasThreadLocals = false; ///< Native ones; see ThreadLocals.h.
  std::vector<Library> Libraries;
  Manifest LookedAt; ///< To find them.

  LoadedCode *Code = nullptr; ///< The result, where the link leaves its part.
  const void *Near = nullptr; ///< Most of the imports are near it.
  bool Debug = false;         ///< Registers with the debugger and perf.

  /// Looked up to link the text's own object and those given, one for each.
  std::vector<llvm::orc::SymbolStringPtr> Anchors;
  size_t Linked = 0; ///< The number of objects linked so far.
  std::vector<FunctionArray> Constructors, Destructors;
  ThreadLocals PerThread;
  std::vector<PerfMap::Function> Functions; ///< Only if Debug.
  std::vector<LoadedSection> Sections;      ///< The module's sections of code.
  std::vector<LoadedFunction> NotedFunctions; ///< For crash notes.
  std::vector<std::string_view> Frames;       ///< The .eh_frame sections.
  std::optional<Error> Failure; ///< It may be known before the link.
};

/// Returns a job with the objects, imports and libraries that \p Object,
/// compiled by \p O, needs.
Expected<LinkJob> gatherInputs(std::string_view Object,
                               const CompileOptions &O);

} // namespace clinch
