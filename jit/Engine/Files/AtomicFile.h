//===- AtomicFile.h - Files written whole or not at all ---------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FILES_ATOMICFILE_H
#define CLINCH_JIT_ENGINE_FILES_ATOMICFILE_H

#include <string>
#include <string_view>

namespace clinch::engine {

/// Writes a file beside \p Path and renames it; makes missing folders, for this
/// user alone. On failure returns false and leaves \p Path as it was.
bool writeAtomically(const std::string &Path, std::string_view Text);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FILES_ATOMICFILE_H
