//===- PythonFacts.h - Facts about the C API of Python and NumPy -*- C++-*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PYTHONFACTS_H
#define CLINCH_JIT_RUNTIME_PYTHONFACTS_H

#include "jit/Engine/Checker/TextChecker.h"

namespace clinch {

/// What a check of texts knows of Python's functions and NumPy's.
CallFacts pythonFacts();

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PYTHONFACTS_H
