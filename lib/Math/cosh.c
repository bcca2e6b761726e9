// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hyperbolic cosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

#include "Exponential.h"
#include "Single.h"

double clinch_cosh(double X) {
  const double Size = abs_(X);
  const struct Exponential E = exponential(Size > 710.6 ? 710.6 : Size);
  // A quarter of e^x, which does not overflow before the result.
  const double Power = powerOfTwo(E.Rounded - 2), Part = Power * E.R;
  const double First = Power + Part;
  const double Rest = fma_(Power, E.Tail, (Power - First) + Part);
  const struct Double Sum = rounded((struct Double){First, Rest});
  const struct Double Q = quotient((struct Double){0.0625, 0}, Sum);
  const struct Double Both = rounded((struct Double){Sum.High, Q.High});
  return canonical(2 * (Both.High + (Both.Low + (Sum.Low + Q.Low))));
}

float clinch_coshf(float X) {
  const double E = exp2Single(X * CLINCH_LOG2_E);
  return (float)canonical(0.5 * (E + 1 / E));
}
