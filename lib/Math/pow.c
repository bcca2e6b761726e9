//===- pow.c - Powers -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errs by less than 0.9 units in the last place wherever MPFR looked: x^y is
// 2^(y log2(x)), with the logarithm in two parts.
//
//===----------------------------------------------------------------------===//

#include "Exponential.h"
#include "Logarithm.h"
#include "Single.h"

/// Returns log2(2^K (1 + F)). It errs by less than 2^-65 of itself.
///
/// log(1 + f) = 2 s (1 + s^2 / 3 + s^4 P(s^2)), s = f / (2 + f); P is
/// fpminimax's, in polynomials.sollya, and s^4 P(s^2) errs by less than 2^-70.
/// What is smaller than s^4 has one part.
static inline struct Double binaryLogarithm(struct Reduced X) {
  const double Divisor = 2 + X.F, DivisorLow = X.F - (Divisor - 2);
  const double Inverse = 1 / Divisor, S = X.F * Inverse;
  const double Rest = fma_(-S, Divisor, X.F) - S * DivisorLow;
  const double SLow = Rest * Inverse;
  const double Z = S * S, ZLow = fma_(S + S, SLow, fma_(S, S, -Z));
  double P = 0x1.07c7835058a28p-3;
  P = fma_(P, Z, 0x1.5f52f189f3a51p-5);
  P = fma_(P, Z, 0x1.e5f086f9ac49ep-5);
  P = fma_(P, Z, 0x1.1102f5a34448cp-4);
  P = fma_(P, Z, 0x1.3b13e9459b5c9p-4);
  P = fma_(P, Z, 0x1.745d16c755b8p-4);
  P = fma_(P, Z, 0x1.c71c71c7b3f67p-4);
  P = fma_(P, Z, 0x1.2492492492206p-3);
  P = fma_(P, Z, 0x1.999999999999ap-3);
  // A third and more; times s^2; times s; and s. Then all in base 2.
  const double T = fma_(P, Z, 0x1.5555555555555p-2);
  const double TLow =
      fma_(P, Z, 0x1.5555555555555p-2 - T) + 0x1.5555555555555p-56;
  const double U = Z * T, ULow = fma_(Z, T, -U) + fma_(Z, TLow, ZLow * T);
  const double V = S * U, VLow = fma_(S, U, -V) + fma_(S, ULow, SLow * U);
  const double Log = S + V, LogLow = ((S - Log) + V) + (SLow + VLow);
  const double Part = Log * 0x1.71547652b82fep1;
  const double PartLow =
      fma_(Log, 0x1.71547652b82fep1, -Part) +
      fma_(Log, 0x1.777d0ffda0d24p-55, LogLow * 0x1.71547652b82fep1);
  const double Sum = X.K + Part;
  return (struct Double){Sum, ((X.K - Sum) + Part) + PartLow};
}

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
