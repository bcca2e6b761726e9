// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of floats share.
//
// Functions of floats are computed as doubles of one part, and rounded once.
// The polynomials are fpminimax's, in polynomials.sollya. What is said of
// errors is relative; half a unit in the last place of a float is 2^-24.

#pragma once

#include "Logarithm.h"
#include "Numbers.h"

#define CLINCH_LOG2_E 0x1.71547652b82fep0
#define CLINCH_LOG_2 0x1.62e42fefa39efp-1

/// Whole (1 + Part), of which Whole is a power of two.
struct PowerSingle {
  double Whole, Part;
};

/// Returns 2^\p X. Part errs by less than 2^-32. Powers from 2^300 on, and
/// their inverses, are all the same.
static inline struct PowerSingle powerSingle(double X) {
  double Within = X > 300 ? 300 : X;
  Within = X < -300 ? -300 : Within;
  const double Sum = Within + CLINCH_ROUNDER;
  const double R = Within - (Sum - CLINCH_ROUNDER);
  double P = 0x1.00dc4e57a1442p-16;
  P = fma_(P, R, 0x1.44400329158d6p-13);
  P = fma_(P, R, 0x1.5d874c79f776bp-10);
  P = fma_(P, R, 0x1.3b2a1b6d1ac41p-7);
  P = fma_(P, R, 0x1.c6b08dc5e38c4p-5);
  P = fma_(P, R, 0x1.ebfbe045f90bap-3);
  P = fma_(P, R, 0x1.62e42fef95ec2p-1);
  return (struct PowerSingle){powerOfTwo(bitsOf(Sum)), R * P};
}

/// Returns 2^\p X.
static inline double exp2Single(double X) {
  const struct PowerSingle E = powerSingle(X);
  return fma_(E.Whole, E.Part, E.Whole);
}

/// Returns 2^\p X - 1; of -0 it returns 0.
static inline double exp2m1Single(double X) {
  const struct PowerSingle E = powerSingle(X);
  return fma_(E.Whole, E.Part, E.Whole - 1);
}

/// Returns log(1 + \p F), for 1 + F between the roots of 1/2 and 2. It errs by
/// less than 2^-42: log(1 + f) = 2 s + s^3 P(s^2), where s = f / (2 + f).
static inline double logNearOne(double F) {
  const double S = F / (2 + F), Z = S * S;
  double P = 0x1.8c969f9a5d377p-3;
  P = fma_(P, Z, 0x1.c67a3e6eb64abp-3);
  P = fma_(P, Z, 0x1.2493254baf339p-2);
  P = fma_(P, Z, 0x1.999998c8e7444p-2);
  P = fma_(P, Z, 0x1.555555556529ep-1);
  return fma_(S * Z, P, 2 * S);
}

/// Returns log(1 + \p X); of -0 it may return 0.
static inline double log1pSingle(double X) {
  const double Sum = 1 + X;
  const struct Reduced R = reducedNormal(Sum);
  const double Log = logNearOne(R.K == 0 ? X : R.F);
  return logarithmOr(Sum, fma_(R.K, CLINCH_LOG_2, Log));
}

/// x = (N + 4 i) pi / 2 + R, for some integer i.
struct AngleSingle {
  uint64_t N; ///< In the lowest two bits.
  double R;
};

/// 2 / pi in two parts, less what makes multiples of 4 of a float from 2^40,
/// 2^56 and so on. Made by polynomials.sollya.
static const double CLINCH_TWO_OVER_PI_SINGLE[7][2] = {
    {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55},
    {-0x1.f246c6efab581p-18, 0x1.3abe8fa9a6eep-75},
    {0x1.391054a7f09d6p-34, -0x1.70565911f924fp-91},
    {0x1.529fc2757d1f5p-52, 0x1.a6ee06db14acdp-107},
    {-0x1.ec54170565912p-71, 0x1.b6c52b3278872p-129},
    {-0x1.505c1596447e5p-81, 0x1.b14acc9e21c82p-135},
    {-0x1.596447e493ad5p-101, 0x1.93c439041fe51p-156},
};

/// R errs by less than 2^-32 for any float of at least 1 (Payne and Hanek's
/// way).
static inline struct AngleSingle angleOfHugeSingle(double X) {
  const uint64_t Exponent = (bitsOf(X) >> 52 & 0x7ff) - 1023;
  // Numbers that are no floats have no row, and no result either.
  const uint64_t Row = (Exponent > 127 ? 127 : Exponent < 40 ? 24 : Exponent);
  const double *Parts = CLINCH_TWO_OVER_PI_SINGLE[(Row - 24) >> 4];
  const double A = X * Parts[0];
  const double B = fma_(X, Parts[1], fma_(X, Parts[0], -A));
  // A multiple of 4 is taken off, then N; both exactly.
  const double Rest = A - ((A + 0x1.8p55) - 0x1.8p55);
  const double Sum = Rest + CLINCH_ROUNDER;
  const double Turn = (Rest - (Sum - CLINCH_ROUNDER)) + B;
  return (struct AngleSingle){bitsOf(Sum), Turn * 0x1.921fb54442d18p0};
}

/// R errs by less than 2^-32 for any float \p X that is not huge (Cody and
/// Waite's way): the first difference is exact.
static inline struct AngleSingle angleOfSmallSingle(double X) {
  const double Sum = fma_(X, 0x1.45f306dc9c883p-1, CLINCH_ROUNDER);
  const double N = Sum - CLINCH_ROUNDER;
  const double First = fma_(-N, 0x1.921fb54442d18p0, X);
  return (struct AngleSingle){bitsOf(Sum),
                              fma_(-N, 0x1.1a62633145c07p-54, First)};
}

/// Returns the angle of any float. Loops compute that of huge ones only where
/// there are some.
static inline struct AngleSingle angleSingle(double X) {
  const struct AngleSingle Small = angleOfSmallSingle(X);
  const struct AngleSingle Huge = angleOfHugeSingle(X);
  const int IsSmall = abs_(X) < 0x1p30;
  return (struct AngleSingle){IsSmall ? Small.N : Huge.N,
                              IsSmall ? Small.R : Huge.R};
}

/// Returns the sine of \p R, |R| < 0.786: r + r^3 S(r^2). It errs by less than
/// 2^-35.
static inline double sineSingle(double R) {
  const double Z = R * R;
  double S = 0x1.6dbe4922b63bcp-19;
  S = fma_(S, Z, -0x1.a013a884827bdp-13);
  S = fma_(S, Z, 0x1.11110df00d162p-7);
  S = fma_(S, Z, -0x1.555555545e83fp-3);
  return fma_(R * Z, S, R);
}

/// Returns the cosine of \p R, |R| < 0.786: 1 + r^2 C(r^2). It errs by less
/// than 2^-31.
static inline double cosineSingle(double R) {
  const double Z = R * R;
  double C = 0x1.9a6f95747de76p-16;
  C = fma_(C, Z, -0x1.6c0e0a0788223p-10);
  C = fma_(C, Z, 0x1.55554cbe1a581p-5);
  C = fma_(C, Z, -0x1.fffffffab4f1p-2);
  return fma_(Z, C, 1);
}

/// Returns the sine of the angle, and a quarter turn more for each of \p More.
static inline double sineOfSingle(struct AngleSingle A, uint64_t More) {
  const uint64_t N = A.N + More;
  const double Size = N & 1 ? cosineSingle(A.R) : sineSingle(A.R);
  return ofBits(bitsOf(Size) ^ (N >> 1 << 63));
}

/// Returns erf(\p X), for |\p X| <= 3/4: x P(x^2). It errs by less than 2^-34.
static inline double erfNearZero(double X) {
  const double Z = X * X;
  double P = 0x1.8d2e31443879cp-14;
  P = fma_(P, Z, -0x1.b623cb75ac849p-11);
  P = fma_(P, Z, 0x1.55e337531a948p-8);
  P = fma_(P, Z, -0x1.b82706ff4c13dp-6);
  P = fma_(P, Z, 0x1.ce2efec60b513p-4);
  P = fma_(P, Z, -0x1.812746625532ap-2);
  P = fma_(P, Z, 0x1.20dd75040d479p0);
  return X * P;
}

/// Returns erfc(\p A), for 1/2 <= \p A <= 10.2: e^(-a^2) P(q), where q =
/// (a - 3) / (a + 3). It errs by less than 2^-31.
static inline double erfcSingle(double A) {
  const double Q = (A - 3) / (A + 3);
  double P = 0x1.f2cf61dcbedd5p-15;
  P = fma_(P, Q, 0x1.1f4a28c797c61p-15);
  P = fma_(P, Q, -0x1.389ee01276b56p-11);
  P = fma_(P, Q, 0x1.75081e82768bbp-11);
  P = fma_(P, Q, 0x1.17c7939da4a6p-8);
  P = fma_(P, Q, -0x1.8fa8018623e5bp-6);
  P = fma_(P, Q, 0x1.258b151607c39p-4);
  P = fma_(P, Q, -0x1.336ff6df2c62cp-3);
  P = fma_(P, Q, 0x1.f6ff2026c2b91p-3);
  P = fma_(P, Q, -0x1.4e102ba88db5dp-2);
  P = fma_(P, Q, 0x1.6e9827d28b5d4p-3);
  return exp2Single(A * A * -CLINCH_LOG2_E) * P;
}

/// Returns asin(\p S), for 0 <= \p S <= 1/2: s + s^3 P(s^2). \p Z is s^2. It
/// errs by less than 2^-33.
static inline double asinSingle(double S, double Z) {
  double P = 0x1.ff523e365b2eap-6;
  P = fma_(P, Z, 0x1.54c9534e12e51p-7);
  P = fma_(P, Z, 0x1.83a787dc5aab3p-6);
  P = fma_(P, Z, 0x1.efd3abf8d4531p-6);
  P = fma_(P, Z, 0x1.6dc1b39a25f06p-5);
  P = fma_(P, Z, 0x1.33331cbc57af7p-4);
  P = fma_(P, Z, 0x1.5555555ceb059p-3);
  return fma_(S * Z, P, S);
}

/// Returns \p Eighths eighths of a turn, and \p Sign (1 or -1) times
/// atan(\p A / \p B) more, for 0 <= \p A <= \p B. Above tan(pi / 8) it is an
/// eighth and atan((A - B) / (A + B)). atan(s) = s + s^3 P(s^2), which errs by
/// less than 2^-32.
static inline double atanSingle(double A, double B, double Eighths,
                                double Sign) {
  const int Over = A > 0x1.a8279ap-2 * B;
  const double S = (Over ? A - B : A) / (Over ? A + B : B), Z = S * S;
  double P = 0x1.9e783ded3ff99p-5;
  P = fma_(P, Z, -0x1.61779d3fb6f63p-4);
  P = fma_(P, Z, 0x1.c5837558425a2p-4);
  P = fma_(P, Z, -0x1.248a54df2d72ap-3);
  P = fma_(P, Z, 0x1.99997c6a37de3p-3);
  P = fma_(P, Z, -0x1.5555554ca307fp-2);
  const double Angle = fma_(S * Z, P, S);
  const double Turn = Eighths + (Over ? Sign : 0);
  return fma_(Turn, 0x1.921fb54442d18p-1, Sign * Angle);
}
