// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a graph to C text.

#pragma once

#include "clinch/Compiler/Options.h"
#include "clinch/Graph/Graph.h"
#include "clinch/Support/Expected.h"

#include <functional>
#include <memory>

namespace clinch {

struct AssembleOptions {
  clinch::Form Shape = Form::Struct;
  /// The caller's choice, unless a Type or an Op asks for a language.
  Language Lang = Language::C;
  /// Outputs and temporaries whose storage must not be reused.
  std::vector<const Variable *> NoRecycling;
  /// c_sync gets a `fail` too, as PyTensor's Types expect. If it fails, neither
  /// its cell nor those of the enclosing blocks are written.
  bool SyncMayFail = false;
  /// A block that leaves an exception pending fails, as with `%(fail)s`.
  bool CheckPending = false;
  /// Releases temporaries that are not recycled after their last use instead of
  /// at the end of the run.
  bool ReleaseEarly = false;
  /// More blocks than this are split into functions of ChunkSize blocks, or
  /// fewer if their texts are long.
  unsigned SplitAbove = 200;
  unsigned ChunkSize = 100;
  /// The caller's own, before those of Types and Ops.
  std::vector<std::string> ExtraHeaders, ExtraHeaderDirs;
  /// Called with the number of applies done and of all applies; may be empty.
  std::function<void(size_t Done, size_t All)> Progress;
};

/// The hook that a failure number stands for. Kept small, as each block has
/// one.
struct Task {
  enum class Kind {
    Extract,
    ExtractOut,
    Init,
    Validate,
    Code,
    InitStruct,
    Sync
  };
  unsigned Number = 0;
  Kind What = Kind::Code;
  bool InInit = false; ///< Fails in init (struct form), not in run.
  std::string Subject; ///< "`Double.c_extract` for `x`", as in diagnostics.
  const Variable *Var = nullptr; ///< Either Var or Node is set.
  const Apply *Node = nullptr;

  const char *hook() const;  ///< "c_extract".
  std::string label() const; ///< "label_3".
};

/// Returns null if there is no such task. \p Tasks is sorted as in ThunkSource.
const Task *findTask(const std::vector<Task> &Tasks, unsigned Number,
                     bool InInit);

/// What `clinch_module_init` does.
enum class ModuleInit {
  None,    ///< The function does not exist.
  Imports, ///< Only imports NumPy's functions, as every module must.
  OwnCode  ///< Runs code of authors, which must run once.
};

/// Who wrote a piece of the text. Valid for as long as the graph.
struct Author {
  const CodeProvider *Provider = nullptr;
  const char *Hook = "";
  std::string Subject; ///< As in messages, "`x`"; empty: none in particular.
  unsigned Block = 0;  ///< Its number, or 0.
  unsigned Apply = 0;  ///< Its position in execution order, from 1, or 0.
  std::shared_ptr<const std::string> File; ///< Null: only the hook is known.

  /// Copies these facts into \p D.
  void name(Diagnostic &D) const;
};

/// The text, and what is needed to compile and run it. Its entry points are
/// extern "C" and take cells: lists of one item, in the order of Cells.
///
///   Function form
///     int clinch_call(PyObject *const *cells);
///   Struct form
///     extern const size_t clinch_state_size;    // zero-filled by the caller
///     int clinch_init(void *state, PyObject *const *cells);
///     int clinch_run(void *state);
///     void clinch_cleanup(void *state);         // only after init returned 0
///   Both, if there is any c_init_code
///     int clinch_module_init(void);             // once per loaded module
///
/// Each int is 0 or the failing task's number, or -1 from module_init. The
/// cells passed to init are borrowed until cleanup. Every call needs the GIL.
struct ThunkSource {
  SourceText Source;
  Form Shape = Form::Struct;
  /// Language, headers' folders, flags, libraries, regions, UseDiskCache (false
  /// if any version is empty). The caller sets the tier and the rest.
  CompileOptions Options;
  std::vector<const Variable *> Cells; ///< Inputs, outputs, constants; unique.
  std::vector<Task> Tasks;             ///< By number; run first, then init.
  std::vector<Author> Authors;         ///< One for each of Options.Regions.
  ModuleInit Init = ModuleInit::None;
  bool KeepCode = false; ///< Never to be unloaded; see Type::keepsCode.
  std::string Key;       ///< Of text, options and versions.

  const Task *task(unsigned Number, bool InInit) const {
    return findTask(Tasks, Number, InInit);
  }
};

Expected<ThunkSource> assemble(const Graph &G, const AssembleOptions &O = {});

/// Sets in each diagnostic the author of the text that it is about.
void nameAuthors(std::vector<Diagnostic> &Diagnostics,
                 const ThunkSource &Source);

/// Returns what `--emit=` prints of a stage before machine code.
Expected<std::string> emit(std::string_view Stage, const Graph &G,
                           const AssembleOptions &O);

} // namespace clinch
