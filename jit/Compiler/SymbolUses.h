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

/// Gives each missing symbol in \p E a diagnostic at its use in \p Text: the
/// hook, the line and the column. A symbol that the text does not name (it came
/// from a macro or a template) is only in the message.
void placeMissingSymbols(Error &E, const SourceText &Text);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_SYMBOLUSES_H
