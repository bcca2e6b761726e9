//===- FileDependencies.h - Detects changed headers ------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_ENGINE_FILEDEPENDENCIES_H
#define CLINCH_JIT_ENGINE_FILEDEPENDENCIES_H

#include "Engine.h"

#include <vector>

namespace clinch {

/// Returns whether every file has the content it had, and no missing file has
/// appeared. Compares contents, as a time stamp can be kept or lost in a copy.
bool areUnchanged(const std::vector<FileDependency> &Files);

} // namespace clinch

#endif // CLINCH_JIT_ENGINE_FILEDEPENDENCIES_H
