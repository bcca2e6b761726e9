// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The logarithm to base 10.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; 1 / log(10) is in two doubles, and log10(2) in
// two, the first with 32 bits.

#include "Logarithm.h"
#include "Single.h"

double clinch_log10(double X) {
  const double Value =
      toBase(reduced(X), 0x1.34413508p-2, 0x1.f79fef311f12bp-34,
             0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57);
  return logarithmOr(X, Value);
}

float clinch_log10f(float X) {
  const struct Reduced R = reducedNormal(X);
  const double Part = logNearOne(R.F) * 0x1.bcb7b1526e50ep-2;
  return (float)logarithmOr(X, fma_(R.K, 0x1.34413509f79ffp-2, Part));
}
