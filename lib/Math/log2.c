// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm to base 2.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; 1 / log(2) is in two doubles.

#include "Logarithm.h"
#include "Single.h"

double clinch_log2(double X) {
  const double Value =
      toBase(reduced(X), 1, 0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56);
  return logarithmOr(X, Value);
}

float clinch_log2f(float X) {
  const struct Reduced R = reducedNormal(X);
  return (float)logarithmOr(X, fma_(logNearOne(R.F), CLINCH_LOG2_E, R.K));
}
