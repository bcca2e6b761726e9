//===- erf.c - The error function -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. From 3/4
// on it is 1 - erfc(x). The polynomials are in ErrorFunction.h.
//
//===----------------------------------------------------------------------===//

#include "ErrorFunction.h"
#include "Single.h"

double clinch_erf(double X) {
  const double Size = abs_(X);
  const struct Double Near = errorFunction(X);
  const struct ScaledDouble C = complement(Size > 6 ? 6 : Size);
  const double Power = powerOfTwo(C.Rounded);
  const struct Double Rest = rounded((struct Double){1, -C.High * Power});
  const double Far = Rest.High + (Rest.Low - C.Low * Power);
  const double Result = Size < 0.75 ? Near.High + Near.Low : Far;
  return canonical(__builtin_copysign(Result, X));
}

float clinch_erff(float X) {
  const double Size = abs_(X);
  const double Far = 1 - erfcSingle(Size > 6 ? 6 : Size);
  const double Result = Size < 0.75 ? erfNearZero(Size) : Far;
  return (float)canonical(__builtin_copysign(Result, X));
}
