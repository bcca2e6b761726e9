// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse hyperbolic tangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log((1 + x) / (1 - x)) / 2; the polynomial is in Logarithm.h.

#include "Logarithm.h"
#include "Single.h"

double clinch_atanh(double X) {
  const double Size = abs_(X);
  const struct Double Ratio =
      rounded(quotient(twoSum(1, Size), twoSum(1, -Size)));
  const double Value = 0.5 * logarithmOfTwo(Ratio, 0);
  const double End = Size == 1 ? CLINCH_INFINITY : CLINCH_NAN;
  const double Result = Size < 1 ? Value : End;
  const double Signed = __builtin_copysign(Result, X);
  return canonical(Size < 0x1p-30 ? X : Signed);
}

float clinch_atanhf(float X) {
  const double Size = abs_(X);
  const double Log = log1pSingle(2 * Size / (1 - Size));
  return (float)canonical(__builtin_copysign(0.5 * Log, X));
}
