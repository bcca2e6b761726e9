// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function, and storage that its calls use again.

#pragma once

#include "Thunk.h"
#include "clinch/Clinch.h"
#include "clinch/Graph/Graph.h"

#include <memory>
#include <vector>

namespace clinch {

/// Returns the variables that share memory with others by some Op's view_map or
/// destroy_map. The next run must not reuse their storage: it may be a caller's
/// array, or part of a result that a caller still has.
std::vector<const Variable *> aliasedVariables(const Graph &G);

/// Returns for each input whether some Op works in place on it.
std::vector<bool> destroyedInputs(const Graph &G);

/// Returns for each output whether it is, or may share the memory of, an input
/// that no Op works in place on, a constant, or an earlier output. Numbers on
/// the stack share nothing.
std::vector<bool> sharedOutputs(const Graph &G);

/// Returns for each output whether the next run may write to its storage: not
/// if it is an input, constant, simple or among \p NotThese.
std::vector<bool>
recycledOutputs(const Graph &G, const std::vector<const Variable *> &NotThese);

struct Function::Impl {
  std::vector<PyRef> Constants; ///< Of expressions; outlive T.
  std::unique_ptr<Thunk> T;
  std::vector<size_t> InputCells, OutputCells; ///< Among the thunk's cells.
  std::vector<bool> Recycled;
  std::vector<bool> CopiedInputs, CopiedOutputs;
  PyRef DeepCopy; ///< Null if nothing is copied.

  const Graph &graph() const { return *T->program().graph(); }
  /// Finds what must be copied; returns false with an exception.
  bool keepApart(const Options &O);
  bool fill(std::span<PyObject *const> Arguments);
  bool takeOutputs(std::vector<PyRef> &Values);
};

} // namespace clinch
