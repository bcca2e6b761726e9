// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Powers of constants.

#include "Exponential.h"
#include "Single.h"

// exp: the exponential function.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

double clinch_exp(double X) {
  double Within = X > 750 ? 750 : X;
  Within = X < -750 ? -750 : Within;
  const struct Exponential E = exponential(Within);
  return canonical(scaled(E.Rounded, E.R, E.Tail));
}

float clinch_expf(float X) {
  return (float)canonical(exp2Single(X * CLINCH_LOG2_E));
}

// exp2: a power of two.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

double clinch_exp2(double X) {
  double Within = X > 1100 ? 1100 : X;
  Within = X < -1100 ? -1100 : Within;
  const double Sum = Within + CLINCH_ROUNDER;
  const double R = Within - (Sum - CLINCH_ROUNDER);
  const struct Double Part = powerLessOne(R);
  return canonical(scaled(bitsOf(Sum), Part.High, Part.Low));
}

float clinch_exp2f(float X) { return (float)canonical(exp2Single(X)); }

// exp10: a power of ten.
//
// Errs by less than 0.8 units in the last place wherever MPFR looked: 10^x is
// 2^(x log2(10)). The polynomial is in Exponential.h.

double clinch_exp10(double X) {
  const double High = X * 0x1.a934f0979a371p1;
  const double Low = fma_(X, 0x1.a934f0979a371p1, -High);
  return canonical(power(High, fma_(X, 0x1.7f2495fb7fa6dp-53, Low)));
}

float clinch_exp10f(float X) {
  return (float)canonical(exp2Single(X * 0x1.a934f0979a371p1));
}

// expm1: e^x - 1.
//
// Errs by less than 1.0 units in the last place wherever MPFR looked. The
// polynomial is in Exponential.h.

double clinch_expm1(double X) {
  double Within = X > 710 ? 710 : X;
  Within = X < -40 ? -40 : Within;
  const struct Double E = lessOne(Within, 1);
  const double Result = 2 * (E.High + E.Low);
  return canonical(abs_(X) < 0x1p-54 ? X : Result);
}

float clinch_expm1f(float X) {
  const double Result = exp2m1Single(X * CLINCH_LOG2_E);
  return (float)canonical(X == 0 ? X : Result);
}
