// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arcsine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arcsine.h.

#include "Arcsine.h"
#include "Single.h"

double clinch_asin(double X) {
  const struct Arcsine A = arcsine(X);
  const struct Double Sum =
      rounded((struct Double){0x1.921fb54442d18p0, -2 * A.S});
  const double Over =
      Sum.High + (Sum.Low + fma_(-2, A.Tail, 0x1.1a62633145c07p-54));
  const double Result = A.Over ? Over : A.S + A.Tail;
  return canonical(__builtin_copysign(Result, X));
}

float clinch_asinf(float X) {
  const double Size = abs_(X);
  const int Over = Size > 0.5;
  const double Z = Over ? 0.5 - 0.5 * Size : Size * Size;
  const double Part = asinSingle(Over ? __builtin_sqrt(Z) : Size, Z);
  const double Result = Over ? 0x1.921fb54442d18p0 - 2 * Part : Part;
  return (float)canonical(__builtin_copysign(Result, X));
}
