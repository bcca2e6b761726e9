// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logarithms.

#include "Logarithm.h"
#include "Single.h"

// log: the natural logarithm.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h.

double clinch_log(double X) {
  const struct Reduced R = reduced(X);
  return logarithmOr(X, natural(R.K, R.F, logarithmTail(R.F)));
}

float clinch_logf(float X) {
  const struct Reduced R = reducedNormal(X);
  return (float)logarithmOr(X, fma_(R.K, CLINCH_LOG_2, logNearOne(R.F)));
}

// log2: the logarithm to base 2.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; 1 / log(2) is in two doubles.

double clinch_log2(double X) {
  const double Value =
      toBase(reduced(X), 1, 0, 0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56);
  return logarithmOr(X, Value);
}

float clinch_log2f(float X) {
  const struct Reduced R = reducedNormal(X);
  return (float)logarithmOr(X, fma_(logNearOne(R.F), CLINCH_LOG2_E, R.K));
}

// log10: the logarithm to base 10.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; 1 / log(10) is in two doubles, and log10(2) in
// two, the first with 32 bits.

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

// log1p: log(1 + x).
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; what rounding 1 + x loses is added to the
// reduced number.

double clinch_log1p(double X) {
  const double Result = logarithmOfTwo(twoSum(1, X), 0);
  return canonical(abs_(X) < 0x1p-54 ? X : Result);
}

float clinch_log1pf(float X) {
  return (float)canonical(X == 0 ? X : log1pSingle(X));
}
