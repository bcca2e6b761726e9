//===- PrefixFlags.h - What makes a prefix another one -*- C++ -*-===//
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

/// Those of the flags and defines that would have made the baked prefix of
/// \p O.Lang a different one: another standard, another ABI, a macro that its
/// headers look at. Empty: it may be used as it is.
std::vector<std::string> prefixFlags(const CompileOptions &O,
                                     const std::vector<std::string> &Flags,
                                     const HeaderArchive &Baked);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_OPTIONS_PREFIXFLAGS_H
