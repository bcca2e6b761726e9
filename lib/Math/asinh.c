// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse hyperbolic sine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log(x + sqrt(x^2 + 1)), both in two parts; the polynomial is in Logarithm.h.

#include "Logarithm.h"
#include "Single.h"

double clinch_asinh(double X) {
  const double Size = abs_(X);
  const int Far = Size > 0x1p30;
  const double S = Far ? 1 : Size, Square = S * S;
  struct Double Sum = twoSum(1, Square);
  Sum.Low += fma_(S, S, -Square);
  const double Root = __builtin_sqrt(Sum.High);
  const double Rest = fma_(-Root, Root, Sum.High) + Sum.Low;
  struct Double Both = rounded((struct Double){Root, S});
  Both.Low = fma_(Rest, 0.5 / Root, Both.Low);
  const double Result = logarithmOfTwo(
      (struct Double){Far ? Size : Both.High, Far ? 0 : Both.Low}, Far ? 1 : 0);
  const double Signed = __builtin_copysign(Result, X);
  return canonical(Size < 0x1p-30 ? X : Signed);
}

float clinch_asinhf(float X) {
  const double Size = abs_(X), Square = Size * Size;
  const double Log =
      log1pSingle(Size + Square / (1 + __builtin_sqrt(1 + Square)));
  const double Result = Size < CLINCH_INFINITY ? Log : Size;
  return (float)canonical(__builtin_copysign(Result, X));
}
