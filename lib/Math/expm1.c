// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// e^x - 1.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

#include "Exponential.h"
#include "Single.h"

double clinch_expm1(double X) {
  double Within = X > 710 ? 710 : X;
  Within = X < -40 ? -40 : Within;
  const struct Double E = lessOne(Within, 1);
  const double Result = 2 * (E.High + E.Low);
  return canonical(abs_(X) < 0x1p-54 ? X : Result);
}

float clinch_expm1f(float X) {
  const double Result = exp2m1Single(X * CLINCH_LOG2_E);
  return (float)canonical(X == 0 ? X : Result);
}
