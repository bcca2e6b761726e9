//===- LinkCommand.h - LLD in this process -------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_COMMANDS_LINKCOMMAND_H
#define CLINCH_JIT_ENGINE_COMMANDS_LINKCOMMAND_H

#include "llvm/ADT/ArrayRef.h"

namespace clinch::engine {

/// Runs LLD; the first argument is the command's name. What a compiler's
/// packages have beside the C library's (crtbegin.o, libgcc, the link to
/// libstdc++.so) is replaced where it is missing. Returns the exit status.
int link(llvm::ArrayRef<const char *> Arguments);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_COMMANDS_LINKCOMMAND_H
