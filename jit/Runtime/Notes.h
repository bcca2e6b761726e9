//===- Notes.h - The notes on a failed run ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_NOTES_H
#define CLINCH_JIT_RUNTIME_NOTES_H

#include "jit/Runtime/Program.h"

namespace clinch {

/// Explains a run that returned \p Number, or 0 with an exception pending. Sets
/// an exception if none is pending, then adds a note to it.
void explainFailure(const Program &P, const Task *T, unsigned Number,
                    const std::vector<PyObject *> &Cells) noexcept;

/// Sets a TypeError for cell \p I, which is not a list of one.
void explainCell(const Program &P, size_t I, PyObject *Cell);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_NOTES_H
