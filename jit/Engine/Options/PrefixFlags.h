//===- PrefixFlags.h - The flags that change a prefix -----------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_OPTIONS_PREFIXFLAGS_H
#define CLINCH_JIT_ENGINE_OPTIONS_PREFIXFLAGS_H

#include "../Files/HeaderArchive.h"
#include "clinch/Compiler/Options.h"

#include <string>
#include <vector>

namespace clinch::engine {

/// \p Flags are readFlags().
/// Returns the flags and defines that change the prefix of \p O.Lang: another
/// standard, another ABI, a macro that its headers test. The baked prefix may
/// be used if there are none.
std::vector<std::string> prefixFlags(const CompileOptions &O,
                                     const std::vector<std::string> &Flags,
                                     const HeaderArchive &Baked);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PREFIXFLAGS_H
