// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction that logarithms share.

#pragma once

#include "Numbers.h"

/// x = 2^K (1 + F), with 1 + F between the roots of 1/2 and 2.
struct Reduced {
  double K, F;
  uint64_t Shift; ///< K as the exponent of a number: K * 2^52.
};

/// \p X is no subnormal number.
static inline struct Reduced reducedNormal(double X) {
  const uint64_t Root = 0x3fe6a09e667f3bcd, One = 0x3ff0000000000000;
  const uint64_t From = bitsOf(X) - Root + One;
  const uint64_t Exponent = From >> 52;
  const double K = ofBits(Exponent | 0x4330000000000000) - (0x1p52 + 1023);
  const uint64_t Shift = (Exponent << 52) - One;
  return (struct Reduced){K, ofBits(bitsOf(X) - Shift) - 1, Shift};
}

static inline struct Reduced reduced(double X) {
  struct Reduced R = reducedNormal(X < 0x1p-1022 ? X * 0x1p54 : X);
  R.K -= X < 0x1p-1022 ? 54 : 0;
  return R;
}

/// Returns log(1 + \p F) - \p F as fdlibm does: s (f^2 / 2 + s^2 P(s^2)) less
/// f^2 / 2, where s = f / (2 + f).
///
/// P is fpminimax's for (log((1 + s) / (1 - s)) - 2 s) / s^3, in
/// polynomials.sollya. s^3 P(s^2) errs by less than 2^-59.
static inline double logarithmTail(double F) {
  const double S = F / (2 + F), Z = S * S, Half = 0.5 * F * F;
  double P = 0x1.2b5e9b3cf1d58p-3;
  P = fma_(P, Z, 0x1.39fddafd1ca5ap-3);
  P = fma_(P, Z, 0x1.7462b8b39e012p-3);
  P = fma_(P, Z, 0x1.c71c62d7cab96p-3);
  P = fma_(P, Z, 0x1.2492492dfa851p-2);
  P = fma_(P, Z, 0x1.99999999952c1p-2);
  P = fma_(P, Z, 0x1.5555555555558p-1);
  return fma_(S, fma_(Z, P, Half), -Half);
}

/// Returns \p K log(2) + \p F + \p Tail, rounded once but for Tail's error.
static inline double natural(double K, double F, double Tail) {
  const double Whole = K * 0x1.62e42feep-1; // Exact.
  const double Sum = Whole + F;
  const double Low = (Whole - Sum) + F;
  return Sum + (Low + fma_(K, 0x1.a39ef35793c76p-33, Tail));
}

/// Returns \p K * \p Step + (\p F + \p Tail) * \p Scale, both factors in two
/// parts; \p K times the first part of the step is exact.
static inline double toBase(struct Reduced R, double Step, double StepLow,
                            double Scale, double ScaleLow) {
  const double Tail = logarithmTail(R.F);
  const double Log = R.F + Tail, LogLow = (R.F - Log) + Tail;
  const double Part = Log * Scale;
  const double PartLow =
      fma_(Log, Scale, -Part) + fma_(Log, ScaleLow, LogLow * Scale);
  const double Whole = R.K * Step, Sum = Whole + Part;
  const double Low = (Whole - Sum) + Part;
  return Sum + (Low + fma_(R.K, StepLow, PartLow));
}

/// Returns \p Value if \p X is positive and finite, and else its logarithm.
static inline double logarithmOr(double X, double Value) {
  const double Special =
      X == 0 ? -CLINCH_INFINITY : (X > 0 ? CLINCH_INFINITY : CLINCH_NAN);
  return X > 0 && X < CLINCH_INFINITY ? Value : Special;
}

/// Returns log(\p X), and \p More log(2) more; \p X is rounded.
static inline double logarithmOfTwo(struct Double X, double More) {
  const struct Reduced R = reduced(X.High);
  const double Scale = ofBits(0x3ff0000000000000 - R.Shift);
  const double Part = X.High > 0x1p60 ? 0 : X.Low * Scale;
  const struct Double F = rounded((struct Double){R.F, Part});
  const double Tail = logarithmTail(F.High) + fma_(-F.Low, F.High, F.Low);
  return logarithmOr(X.High, natural(R.K + More, F.High, Tail));
}

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
