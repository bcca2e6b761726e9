// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The natural logarithm.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h.

#include "Logarithm.h"
#include "Single.h"

double clinch_log(double X) {
  const struct Reduced R = reduced(X);
  return logarithmOr(X, natural(R.K, R.F, logarithmTail(R.F)));
}

float clinch_logf(float X) {
  const struct Reduced R = reducedNormal(X);
  return (float)logarithmOr(X, fma_(R.K, CLINCH_LOG_2, logNearOne(R.F)));
}
