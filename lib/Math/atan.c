// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arctangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Arctangent.h.

#include "Arctangent.h"
#include "Single.h"

double clinch_atan(double X) {
  const double Size = abs_(X) > 0x1p60 ? 0x1p60 : abs_(X);
  const int Over = Size > 1;
  const double Result =
      arctangent(Over ? 1 : Size, Over ? Size : 1, Over ? 2 : 0, Over ? -1 : 1);
  return canonical(__builtin_copysign(Result, X));
}

float clinch_atanf(float X) {
  const double Size = abs_(X) > 0x1p60 ? 0x1p60 : abs_(X);
  const int Over = Size > 1;
  const double Result =
      atanSingle(Over ? 1 : Size, Over ? Size : 1, Over ? 2 : 0, Over ? -1 : 1);
  return (float)canonical(__builtin_copysign(Result, X));
}
