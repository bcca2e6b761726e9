//===- Watchers.h - What is minded while a text is read -*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FRONTEND_WATCHERS_H
#define CLINCH_JIT_ENGINE_FRONTEND_WATCHERS_H

#include "../Survival/Budget.h"

#include "clang/Frontend/CompilerInstance.h"

namespace clinch::engine {

class WholeTexts;

/// Ends the text, at the next token, where \p Limits are exceeded or statements
/// nest too deeply: names are looked up in every scope that is open, so the
/// time would grow with the square. Brackets are counted by Clang.
/// \p Texts, if any, is asked about each token.
void watchTokens(clang::CompilerInstance &CI, Budget &Limits,
                 WholeTexts *Texts);

/// `#pragma clang __debug` can crash, print, and never return.
void refuseDebugPragmas(clang::CompilerInstance &CI);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FRONTEND_WATCHERS_H
