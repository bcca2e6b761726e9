// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cosine.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomials are in Angle.h.

#include "Angle.h"
#include "Single.h"

double clinch_cos(double X) {
  const double Result = sineOf(angle(X), 1);
  return canonical(abs_(X) < 0x1p-30 ? 1 : Result);
}

float clinch_cosf(float X) {
  return (float)canonical(sineOfSingle(angleSingle(X), 1));
}
