// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers and roots.

#include "Exponential.h"
#include "Logarithm.h"
#include "Numbers.h"
#include "Single.h"

// pow: powers.
//
// Errs by less than 0.9 units in the last place wherever MPFR looked: x^y is
// 2^(y log2(x)), with the logarithm in two parts.

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

// cbrt: the cube root.
//
// Errs by less than 0.51 units in the last place wherever MPFR looked. The
// first guess is fpminimax's for m^(-1/3), in polynomials.sollya; it errs by
// less than 2^-14.

/// x = Unit^3 Cube; Inverse is 1 / cbrt(Cube), and errs by less than 2^-40.
struct CubeRoot {
  double Unit, Cube, Inverse;
};

/// \p Size is positive, and no subnormal number.
static inline struct CubeRoot cubeRoot(double Size) {
  // Size = 2^(3 Q + J) m, with m in [1, 2) and J in 0, 1, 2; 1023 is 3 * 341.
  const uint64_t Bits = bitsOf(Size);
  const double E = ofBits((Bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  const double Sum =
      fma_(E, 0x1.5555555555555p-2, -0x1.5555555555555p-2) + CLINCH_ROUNDER;
  const double J = fma_(-3, Sum - CLINCH_ROUNDER, E);
  const double M = ofBits((Bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  double Guess = 0x1.dc9656113d829p-6;
  Guess = fma_(Guess, M, -0x1.cb34e737ac162p-3);
  Guess = fma_(Guess, M, 0x1.6775b5b689d2dp-1);
  Guess = fma_(Guess, M, -0x1.2de11e784c1f9p0);
  Guess = fma_(Guess, M, 0x1.ac184fc64241ep0);
  Guess *= J == 0 ? 1 : (J == 1 ? 0x1.965fea53d6e3dp-1 : 0x1.428a2f98d728bp-1);
  const double Cube = M * (J == 0 ? 1 : (J == 1 ? 2 : 4));
  // One step of Halley's.
  const double Error = fma_(-Cube * Guess, Guess * Guess, 1);
  const double Step =
      Error * fma_(Error, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2);
  return (struct CubeRoot){powerOfTwo(bitsOf(Sum)), Cube,
                           fma_(Guess, Step, Guess)};
}

/// Returns \p Root, the cube root of |\p X|, unless that is known better.
static inline double cubeRootOr(double X, double Root) {
  const double Size = abs_(X), Signed = __builtin_copysign(Root, X);
  return canonical(Size > 0 && Size < CLINCH_INFINITY ? Signed : X);
}

double clinch_cbrt(double X) {
  const double Size = abs_(X);
  const int Subnormal = Size < 0x1p-1022;
  const struct CubeRoot R = cubeRoot(Subnormal ? Size * 0x1p54 : Size);
  // One step of Newton's on the root itself.
  const double Root = R.Cube * R.Inverse * R.Inverse;
  const double Square = Root * Root, SquareLow = fma_(Root, Root, -Square);
  const double Rest = fma_(-SquareLow, Root, fma_(-Square, Root, R.Cube));
  const double Near =
      fma_(Rest, R.Inverse * R.Inverse * 0x1.5555555555555p-2, Root);
  return cubeRootOr(X, Near * R.Unit * (Subnormal ? 0x1p-18 : 1));
}

float clinch_cbrtf(float X) {
  const struct CubeRoot R = cubeRoot(abs_(X));
  return (float)cubeRootOr(X, R.Cube * R.Inverse * R.Inverse * R.Unit);
}

// hypot: the length of a vector.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked.

double clinch_hypot(double X, double Y) {
  const double A = abs_(X), B = abs_(Y);
  const double Larger = A > B ? A : B, Smaller = A > B ? B : A;
  double Scale = Larger > 0x1p500 ? 0x1p-600 : 1;
  Scale = Larger < 0x1p-500 ? 0x1p600 : Scale;
  double Back = Larger > 0x1p500 ? 0x1p600 : 1;
  Back = Larger < 0x1p-500 ? 0x1p-600 : Back;
  const double L = Larger * Scale, S = Smaller * Scale;
  // The sum of the squares is in two parts.
  const double LL = L * L, SS = S * S, Sum = LL + SS;
  const double Low = (LL - Sum) + SS + (fma_(L, L, -LL) + fma_(S, S, -SS));
  const double Root = __builtin_sqrt(Sum);
  const double Rest = fma_(-Root, Root, Sum) + Low;
  const double Result = (Root + Rest / (Root + Root)) * Back;
  const double Finite = Sum == 0 ? 0 : Result;
  return canonical(
      A == CLINCH_INFINITY || B == CLINCH_INFINITY ? CLINCH_INFINITY : Finite);
}

float clinch_hypotf(float X, float Y) {
  const double A = abs_(X), B = abs_(Y);
  const double Result = __builtin_sqrt(A * A + B * B);
  return (float)canonical(
      A == CLINCH_INFINITY || B == CLINCH_INFINITY ? CLINCH_INFINITY : Result);
}
