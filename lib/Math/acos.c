// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arccosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arcsine.h.

#include "Arcsine.h"
#include "Single.h"

double clinch_acos(double X) {
  const struct Arcsine A = arcsine(X);
  const double Quarters = A.Over ? (X > 0 ? 0 : 2) : 1;
  const double Times = __builtin_copysign(A.Over ? 2 : 1, A.Over ? X : -X);
  const struct Double Sum =
      rounded((struct Double){Quarters * 0x1.921fb54442d18p0, Times * A.S});
  const double Low = fma_(Times, A.Tail, Quarters * 0x1.1a62633145c07p-54);
  return canonical(Sum.High + (Sum.Low + Low));
}

float clinch_acosf(float X) {
  const double Size = abs_(X);
  const int Over = Size > 0.5;
  const double Z = Over ? 0.5 - 0.5 * Size : Size * Size;
  const double Part = asinSingle(Over ? __builtin_sqrt(Z) : Size, Z);
  const double Quarters = Over ? (X > 0 ? 0 : 2) : 1;
  const double Times = __builtin_copysign(Over ? 2 : 1, Over ? X : -X);
  return (float)canonical(fma_(Times, Part, Quarters * 0x1.921fb54442d18p0));
}
