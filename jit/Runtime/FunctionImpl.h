// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call from C++ needs.

#pragma once

#include "Thunk.h"
#include "clinch/Clinch.h"

#include <memory>
#include <vector>

namespace clinch {

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
