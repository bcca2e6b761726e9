// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of Program().

#pragma once

#include "../../jit/Runtime/GraphImport.h"
#include "jit/Runtime/Program.h"

namespace clinch::python {

/// The checked arguments of Program(), emit() and the like, all borrowed.
struct BuildArguments {
  PyObject *Inputs = nullptr, *Outputs = nullptr, *Order = nullptr;
  PyObject *NoRecycling = nullptr, *Progress = nullptr;
  bool Anonymous = false;
  bool Isolated = false; ///< See Session::Options.
  ProgramOptions Options;

  /// (inputs, outputs, *, order=None, form="struct", language="c",
  /// tier="default", no_recycling=None, anonymous=False, progress=None,
  /// debug=False, disk_cache=True, keep=(), split_above=0, chunk_size=0,
  /// flags=(), headers=(), header_dirs=(), sync_may_fail=False,
  /// check_pending=False, first_tier=None, release_early=False,
  /// time_limit=None, memory_limit=None, isolation=None)
  Status parse(PyObject *Args, PyObject *Keywords);
  /// Returns the graph and sets the Options that depend on it.
  Expected<std::unique_ptr<ImportedGraph>> import();
};

/// \p Time is in seconds, \p Memory in bytes; None is no limit.
Status parseLimits(PyObject *Time, PyObject *Memory, unsigned &TimeLimitMs,
                   size_t &MemoryLimit);
Expected<Language> parseLanguage(const std::string &Name);
Expected<Tier> parseTier(const std::string &Name);
Expected<Form> parseForm(const std::string &Name);
Expected<Stage> parseStage(const std::string &Name);
/// A tuple of the stages that a user may ask for, or NULL with an exception.
PyRef stageNames();
const char *nameOf(Language L);
const char *nameOf(Tier T);
const char *nameOf(Form F);

} // namespace clinch::python
