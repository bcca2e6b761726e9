//===- SymbolUses.h - Where a text uses a symbol ----------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_SYMBOLUSES_H
#define CLINCH_JIT_COMPILER_SYMBOLUSES_H

#include "clinch/Compiler/Options.h"
#include "clinch/Support/Expected.h"

namespace clinch {

/// Each symbol that \p E says is missing gets the place in \p Text that uses
/// it: the hook, the line and the column. One that no text names (it came out
/// of a macro, or out of a template) stays in the message alone.
void placeMissingSymbols(Error &E, const SourceText &Text);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_SYMBOLUSES_H
