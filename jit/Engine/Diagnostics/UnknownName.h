//===- UnknownName.h - What Clang says of a name it knows not -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the numbers and the arguments of Clang's messages, and not their English.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_DIAGNOSTICS_UNKNOWNNAME_H
#define CLINCH_JIT_ENGINE_DIAGNOSTICS_UNKNOWNNAME_H

#include "Consequences.h"

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// The variable, type or function that \p Info calls unknown, if it does.
UnknownName unknownNameIn(const clang::Diagnostic &Info);

/// Whether an error of this number says which name may have been meant.
bool isGuess(unsigned ID);

/// Whether an argument of \p Info is \p Name, or what is declared by it.
bool names(const clang::Diagnostic &Info, llvm::StringRef Name);

/// Appends the arguments of \p Info that are texts.
void appendTexts(const clang::Diagnostic &Info, std::vector<std::string> &To);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_DIAGNOSTICS_UNKNOWNNAME_H
