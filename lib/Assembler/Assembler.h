//===- Assembler.h - From a graph to C text --------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_ASSEMBLER_H
#define CLINCH_LIB_ASSEMBLER_ASSEMBLER_H

#include "clinch/Compiler/Options.h"
#include "clinch/Graph/Graph.h"
#include "clinch/Support/Expected.h"

#include <functional>
#include <memory>

namespace clinch {

struct AssembleOptions {
  clinch::Form Shape = Form::Struct;
  /// What the caller asks for; a Type or an Op that needs C++ overrides C.
  Language Lang = Language::C;
  /// Outputs and temporaries whose storage must not be reused.
  std::vector<const Variable *> NoRecycling;
  /// c_sync gets a `fail` too, as PyTensor's Types expect. Then nothing is put
  /// into that cell, nor into those of the blocks around.
  bool SyncMayFail = false;
  /// A block that leaves an exception behind fails, as if it had said so.
  bool CheckPending = false;
  /// Temporaries that are not recycled go when they were used last, and not at
  /// the end of the run.
  bool ReleaseEarly = false;
  /// More blocks than this are split into functions of ChunkSize, or of fewer
  /// where these say much.
  unsigned SplitAbove = 200;
  unsigned ChunkSize = 100;
  /// For every module of this caller, before those of Types and Ops.
  std::vector<std::string> ExtraHeaders, ExtraHeaderDirs;
  /// Told how many applies are done, of how many; may be empty.
  std::function<void(size_t Done, size_t All)> Progress;
};

/// Which hook of what a failure number stands for. There is one for each block,
/// so it is kept small.
struct Task {
  enum class Kind { Extract, ExtractOut, Init, Validate, Code, InitStruct };
  unsigned Number = 0;
  Kind What = Kind::Code;
  bool InInit = false; ///< Fails in init (struct form), not in run.
  std::string Subject; ///< "`Double.c_extract` for `x`", as diagnostics say it.
  const Variable *Var = nullptr; ///< One of these two.
  const Apply *Node = nullptr;

  const char *hook() const;  ///< "c_extract".
  std::string label() const; ///< "label_3".
};

/// Null when there is none; \p Tasks as in ThunkSource.
const Task *findTask(const std::vector<Task> &Tasks, unsigned Number,
                     bool InInit);

/// What `clinch_module_init` does.
enum class ModuleInit {
  None,    ///< There is none.
  Imports, ///< It imports NumPy's functions, which each module does.
  OwnCode  ///< More than that, which is to be done once.
};

/// Whose a piece of the text is. Good for as long as the graph is.
struct Author {
  const CodeProvider *Provider = nullptr;
  const char *Hook = "";
  std::string Subject; ///< As messages say it, "`x`"; empty: of no one alone.
  unsigned Block = 0;  ///< Its number, or 0.
  unsigned Apply = 0;  ///< Its place in the order of running, from 1, or 0.
  std::shared_ptr<const std::string> File; ///< Null: only the hook is known.

  /// Says so in \p D, as data.
  void name(Diagnostic &D) const;
};

/// The text, and what one must know to compile and run it. Its entry points,
/// all extern "C", take cells: lists of one, in the order of Cells.
///
///   Function form
///     int clinch_call(PyObject *const *cells);
///   Struct form
///     extern const size_t clinch_state_size;    // zero-filled by the caller
///     int clinch_init(void *state, PyObject *const *cells);
///     int clinch_run(void *state);
///     void clinch_cleanup(void *state);         // only after init returned 0
///   Both, when some c_init_code exists
///     int clinch_module_init(void);             // once per loaded module
///
/// Each int is 0 or the number of the failing task. The cells passed to init
/// are borrowed until cleanup. The GIL is held in every call.
struct ThunkSource {
  SourceText Source;
  Form Shape = Form::Struct;
  /// Language, headers' folders, flags, libraries, regions, UseDiskCache (false
  /// when some version is empty). The tier and the rest are the caller's.
  CompileOptions Options;
  std::vector<const Variable *> Cells; ///< Inputs, outputs, constants; unique.
  std::vector<Task> Tasks;             ///< By number; run first, then init.
  std::vector<Author> Authors;         ///< Of Options.Regions, one for each.
  ModuleInit Init = ModuleInit::None;
  bool KeepCode = false; ///< Never to be unloaded; see Type::keepsCode.
  std::string Key;       ///< Of text, options and versions.

  const Task *task(unsigned Number, bool InInit) const {
    return findTask(Tasks, Number, InInit);
  }
};

Expected<ThunkSource> assemble(const Graph &G, const AssembleOptions &O = {});

/// Says in each, as data, whose text it is about.
void nameAuthors(std::vector<Diagnostic> &Diagnostics,
                 const ThunkSource &Source);

/// What `--emit=` prints.
Expected<std::string> emitGraph(const Graph &G);
Expected<std::string> emitBlocks(const Graph &G, const AssembleOptions &O);
Expected<std::string> emitLabels(const Graph &G, const AssembleOptions &O);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_ASSEMBLER_H
