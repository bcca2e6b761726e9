// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and the gamma function.

#include "ErrorFunction.h"
#include "Exponential.h"
#include "Logarithm.h"
#include "Single.h"

// erf: the error function.
//
// Errs by less than 1.1 units in the last place wherever MPFR looked. From 1
// on it is 1 - erfc(x). The polynomials are in ErrorFunction.h.

double clinch_erf(double X) {
  const double Size = abs_(X), Near = fma_(X, errorFactor(X), X);
  const double Within = Size < 1 ? 1 : Size;
  const double Far = 1 - complementOfFar(Within > 6 ? 6 : Within);
  return canonical(Size < 1 ? Near : __builtin_copysign(Far, X));
}

float clinch_erff(float X) {
  const double Size = abs_(X);
  const double Far = 1 - erfcSingle(Size > 6 ? 6 : Size);
  const double Result = Size < 0.75 ? erfNearZero(Size) : Far;
  return (float)canonical(__builtin_copysign(Result, X));
}

// erfc: the complement of the error function.
//
// Errs by less than 1.2 units in the last place wherever MPFR looked. The
// polynomials are in ErrorFunction.h.

double clinch_erfc(double X) {
  const double Size = abs_(X);
  const struct Double Less = rounded((struct Double){1, -X});
  const double NearOne = Less.High + fma_(-X, errorFactor(X), Less.Low);
  const struct ScaledDouble C = complement(Size > 27.5 ? 27.5 : Size);
  const uint64_t Half = C.Rounded >> 1;
  const double First = powerOfTwo(Half), Second = powerOfTwo(C.Rounded - Half);
  const double Right = (C.High + C.Low) * First * Second;
  const struct Double Rest =
      rounded((struct Double){2, -C.High * First * Second});
  const double Left = Rest.High + (Rest.Low - C.Low * First * Second);
  return canonical(Size < 0.5 ? NearOne : (X < 0 ? Left : Right));
}

float clinch_erfcf(float X) {
  const double Size = abs_(X);
  const double Far = erfcSingle(Size > 10.2 ? 10.2 : Size);
  const double Result = X < 0 ? 2 - Far : Far;
  return (float)canonical(Size < 0.5 ? 1 - erfNearZero(X) : Result);
}

// tgamma: the gamma function.
//
// Errs by less than 1.01 units in the last place wherever MPFR looked. From 8
// on it is Stirling's series, as a power of two in two parts; what is smaller
// goes 8 up first, and is divided by the 8 factors between. Below zero it is
// -pi / (y sin(pi y) gamma(y)), where y = -x.

/// Returns \p X * \p Y, rounded to two parts.
static inline struct Double product(struct Double X, struct Double Y) {
  const double High = X.High * Y.High;
  const double Low = fma_(X.High, Y.High, -High);
  return rounded(
      (struct Double){High, Low + fma_(X.High, Y.Low, X.Low * Y.High)});
}

/// Returns \p X + \p Y, where \p Y is not larger.
static inline struct Double plus(struct Double X, double Y) {
  const struct Double Sum = twoSum(X.High, Y);
  return rounded((struct Double){Sum.High, Sum.Low + X.Low});
}

/// Returns y (y + 1) ... (y + 7), for 0 <= \p Y < 8: each factor from the front
/// times one from the back is y (y + 7) and some integer.
static inline struct Double eightFactors(double Y) {
  const double Seven = 7 * Y, Square = Y * Y;
  const struct Double Sum = twoSum(Seven, Square);
  const struct Double T = rounded((struct Double){
      Sum.High, Sum.Low + (fma_(7, Y, -Seven) + fma_(Y, Y, -Square))});
  return product(product(T, plus(T, 6)), product(plus(T, 10), plus(T, 12)));
}

/// Returns log2(gamma(z)), for z = \p Z.High + \p Z.Low of at least 8; z is
/// below 2^10. It errs by less than 2^-57.
///
/// log(gamma(z)) = (z - 1/2) log(z) - z + log(2 pi) / 2 + w G(w^2), w = 1 / z,
/// of which G is fpminimax's, in polynomials.sollya.
static inline __attribute__((always_inline)) struct Double
logarithmOfGamma(struct Double Z) {
  const double W = 1 / Z.High, V = W * W;
  double G = 0x1.63e96175a4b5bp-10;
  G = fma_(G, V, 0x1.419243dfe9584p-8);
  G = fma_(G, V, -0x1.ee00c2e1f74ffp-10);
  G = fma_(G, V, 0x1.b91e967d889c9p-11);
  G = fma_(G, V, -0x1.38132edb1ffe4p-11);
  G = fma_(G, V, 0x1.a01a015bca471p-11);
  G = fma_(G, V, -0x1.6c16c16c107d1p-9);
  G = fma_(G, V, 0x1.5555555555555p-4);
  const double LogE = 0x1.71547652b82fep0, LogELow = 0x1.777d0ffda0d24p-56;
  const struct Double Log = binaryLogarithm(reducedNormal(Z.High));
  const double LogLow = fma_(Z.Low * LogE, W, Log.Low);
  const double A = Z.High - 0.5, P = A * Log.High;
  const double PLow = fma_(A, Log.High, -P) + fma_(A, LogLow, Z.Low * Log.High);
  const double Q = Z.High * LogE;
  const double QLow =
      fma_(Z.High, LogE, -Q) + fma_(Z.High, LogELow, Z.Low * LogE);
  const struct Double Much = twoSum(P, -Q);
  const struct Double All = twoSum(Much.High, 0x1.536439a4c6efcp0);
  const double Low = (Much.Low + All.Low) + (PLow - QLow);
  return rounded((struct Double){
      All.High, fma_(W * G, LogE, Low - 0x1.49e49a361efebp-54)});
}

/// Returns sin(pi \p R) / pi, for |\p R| <= 1/2; it errs by less than 2^-55.
///
/// It is r - r^3 pi^2 / 6 + r^5 S(r^2), of which S is fpminimax's, in
/// polynomials.sollya.
static inline struct Double sineOfTurn(double R) {
  const double Z = R * R, ZLow = fma_(R, R, -Z);
  double S = 0x1.0908f5e618e76p-22;
  S = fma_(S, Z, -0x1.d3ffcd1575854p-18);
  S = fma_(S, Z, 0x1.3746e8463e4d6p-13);
  S = fma_(S, Z, -0x1.33816a5fadc3fp-9);
  S = fma_(S, Z, 0x1.ac6805cedb6f1p-6);
  S = fma_(S, Z, -0x1.86a8e4720d8bep-3);
  S = fma_(S, Z, 0x1.9f9cb402bc46cp-1);
  const struct Double Cubic =
      product((struct Double){Z * R, fma_(Z, R, -(Z * R)) + ZLow * R},
              (struct Double){-0x1.a51a6625307d3p0, -0x1.1873d8912200cp-55});
  const struct Double Sum = twoSum(R, Cubic.High);
  return rounded(
      (struct Double){Sum.High, Sum.Low + fma_(Z * Z * R, S, Cubic.Low)});
}

/// Returns gamma(x) where \p Size is that of its size, unless \p X is near 0;
/// \p N is the integer next to |x|.
static inline double gammaOf(double X, double N, double Size) {
  const double Half = 0.5 * N;
  const int Odd = __builtin_rint(Half) != Half;
  const int Over = abs_(X) > N; // Between N and the next integer.
  const double Below = Odd == Over ? Size : -Size;
  const double Negative = N == abs_(X) ? CLINCH_NAN : Below;
  const double Result = X < 0 ? Negative : Size;
  const double Value = abs_(X) < 0x1p-60 ? 1 / X : Result;
  return X == X ? Value : CLINCH_NAN;
}

double clinch_tgamma(double X) {
  const double Size = abs_(X), N = __builtin_rint(Size);
  const double Y = Size < 200 ? Size : 200; // There it is infinite, or zero.
  const int IsSmall = Y < 8;
  const struct Double Up = twoSum(8, Y);
  const struct Double Z = {IsSmall ? Up.High : Y, IsSmall ? Up.Low : 0};
  const struct Double Log = logarithmOfGamma(Z);
  const double Sum = Log.High + CLINCH_ROUNDER;
  const struct Double R =
      rounded((struct Double){Log.High - (Sum - CLINCH_ROUNDER), Log.Low});
  // gamma(z), less a power of two, and what it is divided by.
  const struct Double Part = powerLessOne(R.High);
  const double Rest = R.Low * 0x1.62e42fefa39efp-1;
  const struct Double One = twoSum(1, Part.High);
  const struct Double Gamma = rounded((struct Double){
      One.High, One.Low + fma_(Rest, Part.High, Part.Low + Rest)});
  const struct Double Eight = eightFactors(IsSmall ? Y : 1);
  const struct Double Divisor = {IsSmall ? Eight.High : 1,
                                 IsSmall ? Eight.Low : 0};
  // Below zero the inverse, over y sin(pi y) / pi.
  const double Apart = abs_(Size - N);
  const struct Double Turn = sineOfTurn(Apart > 0 && Apart < 1 ? Apart : 0.5);
  const struct Double Below =
      product(Gamma, product(Turn, (struct Double){Y, 0}));
  const int IsNegative = X < 0;
  const struct Double Top = IsNegative ? Divisor : Gamma;
  const struct Double Bottom = IsNegative ? Below : Divisor;
  const struct Double Result = quotient(Top, Bottom);
  const uint64_t Power = IsNegative ? -bitsOf(Sum) : bitsOf(Sum);
  const uint64_t Half = Power >> 1;
  const double Value =
      (Result.High + Result.Low) * powerOfTwo(Half) * powerOfTwo(Power - Half);
  return gammaOf(X, N, Value);
}

/// The same with one part each.
float clinch_tgammaf(float X) {
  const double Size = abs_(X), N = __builtin_rint(Size);
  const double Y = Size < 60 ? Size : 60;
  const int IsSmall = Y < 8;
  const double Z = IsSmall ? Y + 8 : Y, W = 1 / Z, V = W * W;
  double G = -0x1.2af29b96238b6p-11;
  G = fma_(G, V, 0x1.9ff9c1a73b685p-11);
  G = fma_(G, V, -0x1.6c16bb09a870cp-9);
  G = fma_(G, V, 0x1.555555554f00bp-4);
  const struct Reduced R = reducedNormal(Z);
  const double Log = fma_(logNearOne(R.F), CLINCH_LOG2_E, R.K);
  const double More = fma_(fma_(W, G, -Z), CLINCH_LOG2_E, 0x1.536439a4c6efcp0);
  const double Gamma = exp2Single(fma_(Z - 0.5, Log, More));
  const double T = Y * (Y + 7);
  const double Eight = T * (T + 6) * ((T + 10) * (T + 12));
  const double Divisor = IsSmall ? Eight : 1;
  const double Apart = abs_(Size - N);
  const double Turn = sineOfTurn(Apart > 0 && Apart < 1 ? Apart : 0.5).High;
  const double Top = X < 0 ? Divisor : Gamma;
  const double Bottom = X < 0 ? Gamma * Turn * Y : Divisor;
  return (float)gammaOf(X, N, Top / Bottom);
}
