//===- Notes.h - What a failed run says about itself ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_NOTES_H
#define CLINCH_JIT_RUNTIME_NOTES_H

#include "jit/Runtime/Program.h"

namespace clinch {

/// After a run that returned \p Number (or left an exception behind, when it
/// is 0): sets a RuntimeError if nothing is set, then adds the note.
void explainFailure(const Program &P, const Task *T, unsigned Number,
                    const std::vector<PyObject *> &Cells);

/// Sets the TypeError for cell \p I, which is no list of one.
void explainCell(const Program &P, size_t I, PyObject *Cell);

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_NOTES_H
