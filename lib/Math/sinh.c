// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hyperbolic sine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h; sinh(x) = (E + E / (1 + E)) / 2, where E =
// e^x - 1.

#include "Exponential.h"
#include "Single.h"

double clinch_sinh(double X) {
  const double Size = abs_(X);
  // A quarter of E does not overflow before the result.
  const struct Double E = rounded(lessOne(Size > 710.6 ? 710.6 : Size, 2));
  const double Divisor = 0.25 + E.High;
  const double Rest =
      E.High > 0.25 ? (E.High - Divisor) + 0.25 : (0.25 - Divisor) + E.High;
  const struct Double Q = quotient((struct Double){0.25 * E.High, 0.25 * E.Low},
                                   (struct Double){Divisor, Rest + E.Low});
  const struct Double Both = rounded((struct Double){E.High, Q.High});
  const double Result = 2 * (Both.High + (Both.Low + (E.Low + Q.Low)));
  const double Signed = __builtin_copysign(Result, X);
  return canonical(Size < 0x1p-30 ? X : Signed);
}

float clinch_sinhf(float X) {
  const double E = exp2m1Single(abs_(X) * CLINCH_LOG2_E);
  return (float)canonical(__builtin_copysign(0.5 * (E + E / (1 + E)), X));
}
