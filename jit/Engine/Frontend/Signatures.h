//===- Signatures.h - The functions of a text -------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FRONTEND_SIGNATURES_H
#define CLINCH_JIT_ENGINE_FRONTEND_SIGNATURES_H

#include "clang/AST/ASTConsumer.h"

#include <memory>
#include <string>

namespace clinch::engine {

/// Returns a consumer that describes the functions which a text defines for
/// others in \p Lines: the contents of FunctionsSection. \p Locals: the
/// variables of functions, too.
std::unique_ptr<clang::ASTConsumer> createSignatureWriter(std::string &Lines,
                                                          bool Locals);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FRONTEND_SIGNATURES_H
