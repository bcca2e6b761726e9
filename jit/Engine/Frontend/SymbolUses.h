//===- SymbolUses.h - Where a text uses what others define ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FRONTEND_SYMBOLUSES_H
#define CLINCH_JIT_ENGINE_FRONTEND_SYMBOLUSES_H

#include "clinch/Support/Expected.h"

#include <vector>

namespace clang {
class CodeGenerator;
class CompilerInstance;
} // namespace clang

namespace clinch::engine {

/// Returns the first place in the text of each symbol that the module of \p G
/// uses and does not define; its message is the symbol. Headers' own uses are
/// left out.
std::vector<Diagnostic> symbolUses(clang::CompilerInstance &CI,
                                   clang::CodeGenerator &G);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FRONTEND_SYMBOLUSES_H
