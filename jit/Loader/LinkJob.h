// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs and results of one link.

#pragma once

#include "LineTable.h"
#include "LoadedCode.h"
#include "jit/Libraries/LibraryFinder.h"

#include "llvm/ExecutionEngine/JITLink/JITLink.h"

#include <optional>
#include <string_view>
#include <vector>

namespace clinch {

/// A symbol that an object uses and does not define.
struct Import {
  std::string_view Name; ///< In the graph's pool of strings; a NUL follows it.
  bool IsWeak = false;
  void *Address = nullptr;
};

/// What a graph says of its object.
struct ObjectSummary {
  std::vector<Import> Imports;
  std::vector<std::string_view> Definitions; ///< Visible to other objects.
  /// Names of the globals and statics that the code can change, sorted.
  std::vector<std::string> Variables;
  std::vector<Module::Function> Functions; ///< In FunctionsSection.
  std::string Types;                       ///< The second part of it.
  /// Thread-local variables that a program would have once, in whatever texts
  /// they are defined (`inline`, templates' statics); as in the source.
  std::vector<std::string> SharedThreadLocals;
  bool HasInitializers = false; ///< Some function must run first.
};

/// An ELF object, and JITLink's graph of it until that is linked.
struct LinkObject {
  std::string_view Bytes;
  std::unique_ptr<llvm::jitlink::LinkGraph> Graph;
  ObjectSummary Summary;
};

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
  std::vector<LinkObject> Objects;
  /// Sorted by name; the address is null if none was found.
  std::vector<Import> Imports;
  ObjectSummary Own;            ///< Of the text and those given.
  bool HasInitializers = false; ///< Some function must run first.
  std::vector<Library> Libraries;
  Manifest LookedAt; ///< To find them.

  LoadedCode *Code = nullptr; ///< The result, where the link leaves its part.
  const void *Near = nullptr; ///< Most of the imports are near it.
  bool Debug = false;         ///< Registers with the debugger and perf.

  /// Looked up to link the text's own object and those given, one for each.
  std::vector<llvm::orc::SymbolStringPtr> Anchors;
  size_t Linked = 0; ///< The number of objects linked so far.
  std::vector<FunctionArray> Constructors, Destructors;
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
