//===- Key.h - What decides about the code ---------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_COMPILER_KEY_H
#define CLINCH_JIT_COMPILER_KEY_H

#include "clinch/Compiler/Options.h"
#include "clinch/Compiler/Session.h"

#include <string>

namespace clinch {

/// The content key: everything that the object file depends on but the files
/// that it includes, which an entry of the cache names itself. It is the same
/// in every process.
std::string contentKey(const SourceText &Text, const CompileOptions &O,
                       const Session::Options &S);

/// Whether the code may use what only this machine's processor has.
bool usesHost(const CompileOptions &O);

/// The key of loaded code: the content, and the addresses that the host gave.
std::string codeKey(const std::string &ContentKey, const CompileOptions &O);

} // namespace clinch

#endif // CLINCH_JIT_COMPILER_KEY_H
