//===- Initializers.h - What runs before the code is used ------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_LOADER_INITIALIZERS_H
#define CLINCH_JIT_LOADER_INITIALIZERS_H

#include "clinch/Support/Expected.h"

namespace clinch {

/// Calls \p Function; an exception that leaves it becomes an error.
Status runInitializer(void (*Function)());

} // namespace clinch

#endif // CLINCH_JIT_LOADER_INITIALIZERS_H
