// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked: x^y is
// 2^(y log2(x)), with the logarithm in two parts.

#include "Exponential.h"
#include "Logarithm.h"
#include "Single.h"

/// Returns log2(|\p X|): \p Log unless \p X is a zero or infinite.
static inline double logarithmOfSize(double X, double Log) {
  const double OrInfinite = abs_(X) < CLINCH_INFINITY ? Log : CLINCH_INFINITY;
  return X == 0 ? -CLINCH_INFINITY : OrInfinite;
}

/// Returns x^y, where \p Size is |x|^y unless |x| is 1.
static inline double powerOf(double X, double Y, double Size) {
  const double Half = 0.5 * Y;
  const int Whole = __builtin_rint(Y) == Y;
  const int Odd = Whole & (__builtin_rint(Half) != Half);
  const double Known = abs_(X) == 1 ? 1 : Size;
  const double Signed = Odd ? __builtin_copysign(Known, X) : Known;
  const int Real = (X >= 0) | Whole | (X == -CLINCH_INFINITY);
  const double Result = (Real & (Y == Y)) ? Signed : CLINCH_NAN;
  return ((X == 1) | (Y == 0)) ? 1 : canonical(X == X ? Result : CLINCH_NAN);
}

double clinch_pow(double X, double Y) {
  const struct Double Log = binaryLogarithm(reduced(abs_(X)));
  const double High = logarithmOfSize(X, Log.High);
  const double Product = Y * High;
  const double Low = fma_(Y, Log.High, -Product) + Y * Log.Low;
  return powerOf(X, Y, power(Product, Low));
}

float clinch_powf(float X, float Y) {
  const struct Reduced R = reducedNormal(abs_(X));
  const double Log = fma_(logNearOne(R.F), CLINCH_LOG2_E, R.K);
  return (float)powerOf(X, Y, exp2Single(Y * logarithmOfSize(X, Log)));
}
