//===- SymbolName.h - What an author calls a symbol -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_SUPPORT_SYMBOLNAME_H
#define CLINCH_LIB_SUPPORT_SYMBOLNAME_H

#include <string>

namespace clinch {

/// Returns a symbol of C++ as its author wrote it, without parameters; of a
/// variable in a function the last part.
std::string symbolName(const std::string &Symbol);

} // namespace clinch

#endif // CLINCH_LIB_SUPPORT_SYMBOLNAME_H
