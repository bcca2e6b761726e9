// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A power of two.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

#include "Exponential.h"
#include "Single.h"

double clinch_exp2(double X) {
  double Within = X > 1100 ? 1100 : X;
  Within = X < -1100 ? -1100 : Within;
  const double Sum = Within + CLINCH_ROUNDER;
  const double R = Within - (Sum - CLINCH_ROUNDER);
  const struct Double Part = powerLessOne(R);
  return canonical(scaled(bitsOf(Sum), Part.High, Part.Low));
}

float clinch_exp2f(float X) { return (float)canonical(exp2Single(X)); }
