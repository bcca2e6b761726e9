//===- AtomicFile.h - Files that are whole or not there -*- C++ -*-===//
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

/// Writes beside \p Path and renames; makes the folders it needs, for this
/// user alone. False when that did not work; then there is nothing.
bool writeAtomically(const std::string &Path, std::string_view Text);

} // namespace clinch::engine

#endif // CLINCH_JIT_ENGINE_FILES_ATOMICFILE_H
