// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function.
//
// Errs by less than 1.1 units in the last place wherever MPFR looked. From 1
// on it is 1 - erfc(x). The polynomials are in ErrorFunction.h.

#include "ErrorFunction.h"
#include "Single.h"

double clinch_erf(double X) {
  const double Size = abs_(X), Near = fma_(X, errorFactor(X), X);
  const double Within = Size < 1 ? 1 : Size;
  const double Far = 1 - complementOfFar(Within > 6 ? 6 : Within);
  return canonical(Size < 1 ? Near : __builtin_copysign(Far, X));
}

float clinch_erff(float X) {
  const double Size = abs_(X);
  const double Far = 1 - erfcSingle(Size > 6 ? 6 : Size);
  const double Result = Size < 0.75 ? erfNearZero(Size) : Far;
  return (float)canonical(__builtin_copysign(Result, X));
}
