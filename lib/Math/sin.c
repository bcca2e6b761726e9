// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sine.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomials are in Angle.h.

#include "Angle.h"
#include "Single.h"

double clinch_sin(double X) {
  const double Result = sineOf(angle(X), 0);
  return canonical(abs_(X) < 0x1p-30 ? X : Result);
}

float clinch_sinf(float X) {
  const double Result = sineOfSingle(angleSingle(X), 0);
  return (float)canonical(X == 0 ? X : Result);
}
