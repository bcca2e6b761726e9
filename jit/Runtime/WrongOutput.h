// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an Op has left is wrong.

#pragma once

#include "clinch/Compiler/Options.h"

#include <Python.h>

namespace clinch {

/// Assembled code calls this if \p Left, borrowed, or NULL, is not what the
/// Type of an output says: \p Wanted, "an array of float64 with 1 dimension".
/// Sets a TypeError that names \p Hook, "`Neg.c_code`", and \p Output, "output
/// 1 (`y`)", unless an exception is pending.
extern "C" void clinch_wrong_output(PyObject *Left, const char *Hook,
                                    const char *Output,
                                    const char *Wanted) noexcept;

/// Lets the code call clinch_wrong_output().
void addWrongOutput(CompileOptions &O);

} // namespace clinch
