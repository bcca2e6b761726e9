// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyperbolic functions and their inverses.

#include "Exponential.h"
#include "Logarithm.h"
#include "Single.h"

// sinh: the hyperbolic sine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h; sinh(x) = (E + E / (1 + E)) / 2, where E =
// e^x - 1.

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

// cosh: the hyperbolic cosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

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

// tanh: the hyperbolic tangent.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h; tanh(x) = -E / (2 + E), where E = e^-2x - 1.

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

// asinh: the inverse hyperbolic sine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log(x + sqrt(x^2 + 1)), both in two parts; the polynomial is in Logarithm.h.

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

// acosh: the inverse hyperbolic cosine.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log(x + sqrt(x^2 - 1)), both in two parts; the polynomial is in Logarithm.h.

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

// atanh: the inverse hyperbolic tangent.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. It is
// log((1 + x) / (1 - x)) / 2; the polynomial is in Logarithm.h.

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
