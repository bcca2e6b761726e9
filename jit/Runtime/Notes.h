// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notes on a failed run.

#pragma once

#include "jit/Runtime/Program.h"

namespace clinch {

/// Explains a run that returned \p Number, or 0 with an exception pending. Sets
/// an exception if none is pending, then adds a note to it.
void explainFailure(const Program &P, const Task *T, unsigned Number,
                    const std::vector<PyObject *> &Cells) noexcept;

/// Sets a TypeError for cell \p I, which is not a list of one.
void explainCell(const Program &P, size_t I, PyObject *Cell);

} // namespace clinch
