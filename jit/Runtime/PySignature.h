//===- PySignature.h - What a hook's author lets it take --------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_JIT_RUNTIME_PYSIGNATURE_H
#define CLINCH_JIT_RUNTIME_PYSIGNATURE_H

#include "clinch/Runtime/PyRef.h"

#include <cstddef>

namespace clinch {

/// Parameters of a callable, without the one that is bound.
struct PySignature {
  size_t Positional = 0;
  bool AnyPositional = false; ///< *args, or nobody knows.
  bool TakesKeyword = false;  ///< The one asked for, or **kwargs.

  static PySignature of(PyObject *Callable, const char *Keyword);
};

} // namespace clinch

#endif // CLINCH_JIT_RUNTIME_PYSIGNATURE_H
