//===- Tasks.h - From a number to a hook -----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_ASSEMBLER_TASKS_H
#define CLINCH_LIB_ASSEMBLER_TASKS_H

#include "Blueprint.h"

namespace clinch {

/// Returns one task for each block: those of run, then those of init.
std::vector<Task> makeTasks(const Blueprint &P);

} // namespace clinch

#endif // CLINCH_LIB_ASSEMBLER_TASKS_H
