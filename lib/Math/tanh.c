// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hyperbolic tangent.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h; tanh(x) = -E / (2 + E), where E = e^-2x - 1.

#include "Exponential.h"
#include "Single.h"

double clinch_tanh(double X) {
  const double Size = abs_(X);
  // Half of E, and of the divisor.
  const struct Double E = rounded(lessOne(-2 * (Size > 19.5 ? 19.5 : Size), 1));
  const double Divisor = 1 + E.High;
  const double DivisorLow = (1 - Divisor) + E.High + E.Low;
  const struct Double Q = quotient((struct Double){-E.High, -E.Low},
                                   (struct Double){Divisor, DivisorLow});
  const double Result = Q.High + Q.Low;
  const double Signed = __builtin_copysign(Result, X);
  return canonical(Size < 0x1p-30 ? X : Signed);
}

float clinch_tanhf(float X) {
  const double E = exp2m1Single(X * (2 * CLINCH_LOG2_E));
  return (float)canonical(X == 0 ? X : E / (2 + E));
}
