//===- ScalarReader.h - Constants of Python as bytes of C -------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_SCALARREADER_H
#define CLINCH_JIT_RUNTIME_SCALARREADER_H

#include "clinch/Contract/Type.h"

namespace clinch {

/// Lets lib/ read constants that are Python objects; see setScalarReader().
void installScalarReader();

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_SCALARREADER_H
