// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse hyperbolic cosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log(x + sqrt(x^2 - 1)), both in two parts; the polynomial is in Logarithm.h.

#include "Logarithm.h"
#include "Single.h"

double clinch_acosh(double X) {
  const int Far = X > 0x1p30;
  const double S = Far ? 2 : X, Square = S * S;
  const double Less = Square - 1;
  // Near 1 the difference is exact, and what the square lost counts.
  const double LessLow = (Square - (Less + 1)) + fma_(S, S, -Square);
  const struct Double Sum = rounded((struct Double){Less, LessLow});
  const double Root = __builtin_sqrt(Sum.High);
  const double Rest = fma_(-Root, Root, Sum.High) + Sum.Low;
  struct Double Both = rounded((struct Double){S, Root});
  Both.Low = fma_(Rest, 0.5 / Root, Both.Low);
  const double Result = logarithmOfTwo(
      (struct Double){Far ? X : Both.High, Far ? 0 : Both.Low}, Far ? 1 : 0);
  const double OrZero = X == 1 ? 0 : Result;
  return canonical(X >= 1 ? OrZero : CLINCH_NAN);
}

float clinch_acoshf(float X) {
  const double Less = (double)X - 1;
  const double Log = log1pSingle(Less + __builtin_sqrt(Less * (Less + 2)));
  return (float)canonical(X >= 1 ? Log : CLINCH_NAN);
}
