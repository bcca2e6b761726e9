// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponential function.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

#include "Exponential.h"
#include "Single.h"

double clinch_exp(double X) {
  double Within = X > 750 ? 750 : X;
  Within = X < -750 ? -750 : Within;
  const struct Exponential E = exponential(Within);
  return canonical(scaled(E.Rounded, E.R, E.Tail));
}

float clinch_expf(float X) {
  return (float)canonical(exp2Single(X * CLINCH_LOG2_E));
}
