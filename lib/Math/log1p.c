// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log(1 + x).
//
// Errs by less than 0.9 units in the last place wherever MPFR looked. The
// polynomial is in Logarithm.h; what rounding 1 + x loses is added to the
// reduced number.

#include "Logarithm.h"
#include "Single.h"

double clinch_log1p(double X) {
  const double Result = logarithmOfTwo(twoSum(1, X), 0);
  return canonical(abs_(X) < 0x1p-54 ? X : Result);
}

float clinch_log1pf(float X) {
  return (float)canonical(X == 0 ? X : log1pSingle(X));
}
