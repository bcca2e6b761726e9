//===- Brief.h - Functions that return at once ------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FRONTEND_BRIEF_H
#define CLINCH_JIT_ENGINE_FRONTEND_BRIEF_H

namespace clang {
class FunctionDecl;
} // namespace clang

namespace clinch::engine {

/// Whether \p F neither loops nor calls anything but mathematics: who calls it
/// need not let others run meanwhile. False where that is not plain to see.
bool isBrief(const clang::FunctionDecl &F);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FRONTEND_BRIEF_H
