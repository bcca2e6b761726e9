// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph compiled to machine code.

#pragma once

#include "clinch/Compiler/Session.h"
#include "jit/Runtime/PyRef.h"
#include "lib/Assembler/Assembler.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace clinch {

class Upgrade;

struct ProgramOptions {
  AssembleOptions Assemble;
  clinch::Tier Level = Tier::Default;
  /// The tier to begin with, if it compiles faster than Level and no cache has
  /// the code of Level. After the program's second run the same text is
  /// compiled at Level in the background. Only for the struct form, and not if
  /// the code has variables of its own, which cannot be handed over, or a
  /// c_init_code, which must run once.
  std::optional<clinch::Tier> First;
  bool Debug = false;
  bool UseDiskCache = true;
  /// Of a graph in CUDA, as in CompileOptions; no device: this machine's first.
  std::string Device;
  bool Simulate = false, Check = false;
  unsigned TimeLimitMs = 0; ///< As in CompileOptions.
  size_t MemoryLimit = 0;
  std::vector<Stage> Keep;
  std::vector<std::string> Flags; ///< Before those that the graph asks for.
  /// How messages name a Type; by its class if empty.
  std::function<std::string(const Type &)> DescribeType;
  /// Receives the C text if it does not compile; may be null.
  std::string *FailedText = nullptr;
};

/// The code of a graph, without state: any number of thunks share it.
class Program {
public:
  /// Needs the GIL, and releases it while Clang works.
  static Expected<std::shared_ptr<const Program>>
  build(std::shared_ptr<const Graph> G, Session &S, const ProgramOptions &O);

  /// The part of build() after assembling. \p Object, if not empty, is loaded
  /// instead of compiling. \p G may be null.
  static Expected<std::shared_ptr<const Program>>
  load(std::shared_ptr<const Graph> G, ThunkSource Source, Session &S,
       const ProgramOptions &O, std::string Object = "");

  Form form() const { return Shape; }
  Tier level() const { return Level; } ///< The requested tier.
  const Graph *graph() const { return G.get(); }
  const Module &module() const { return Code; }
  /// Those of the code, with the hooks of this graph.
  const std::vector<Diagnostic> &warnings() const { return Warnings; }
  const std::string &sourceKey() const { return SourceKey; } ///< Of no tier.
  /// The variable of each cell of a thunk: inputs, outputs, constants.
  const std::vector<const Variable *> &cells() const { return Cells; }
  const std::vector<Task> &tasks() const { return Tasks; }
  const Task *task(unsigned Number, bool InInit) const;
  /// Returns the position in running order, from 1; 0 if unknown.
  size_t position(const Apply &A) const;
  size_t countApplies() const { return Order.size(); }
  std::string describeType(const Type &T) const;
  double assembleMilliseconds() const { return AssembleTime; }

  using CallFn = int (*)(PyObject *const *Cells);
  using InitFn = int (*)(void *State, PyObject *const *Cells);
  using RunFn = int (*)(void *State);
  using CleanupFn = void (*)(void *State);
  /// The entry points of the code.
  struct Entries {
    CallFn Call = nullptr;
    InitFn Init = nullptr;
    RunFn Run = nullptr;
    CleanupFn Cleanup = nullptr;
    size_t StateSize = 0;

    /// Looks them up, and runs the c_init_code if \p Init asks. Needs the GIL.
    static Expected<Entries> find(const Module &Code, Form Shape,
                                  ModuleInit Init);
  };
  CallFn call() const { return Entry.Call; }
  InitFn init() const { return Entry.Init; }
  RunFn run() const { return Entry.Run; }
  CleanupFn cleanup() const { return Entry.Cleanup; }
  size_t stateSize() const { return Entry.StateSize; }
  /// The pending code of the requested tier, or null.
  Upgrade *upgrade() const { return TierUp.get(); }

private:
  Program() = default;
  Status describe(std::shared_ptr<const Graph> Of, ThunkSource &Source,
                  const ProgramOptions &O);

  std::shared_ptr<const Graph> G;
  Form Shape = Form::Struct;
  Tier Level = Tier::Default;
  std::string SourceKey;
  std::vector<const Variable *> Cells;
  std::vector<Task> Tasks;
  std::unordered_map<const Apply *, size_t> Order;
  std::function<std::string(const Type &)> DescribeType;
  double AssembleTime = 0;
  std::shared_ptr<Upgrade> TierUp;
  Module Code;
  std::vector<Diagnostic> Warnings;
  Entries Entry;
};

} // namespace clinch
