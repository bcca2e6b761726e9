//===- ErrorFunction.h - What erf and erfc share -*- C -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_MATH_ERRORFUNCTION_H
#define CLINCH_LIB_MATH_ERRORFUNCTION_H

#include "Exponential.h"

/// Returns erf(\p X), for |\p X| <= 3/4.
///
/// It is 2 x / sqrt(pi) + x^3 P(x^2). P is fpminimax's, in polynomials.sollya;
/// x^3 P(x^2) errs by less than 2^-57 of x.
static inline struct Double errorFunction(double X) {
  const double Z = X * X;
  double P = 0x1.94fa62b56d086p-27;
  P = fma_(P, Z, -0x1.5828452ad23a1p-23);
  P = fma_(P, Z, 0x1.b9534fb2297d4p-20);
  P = fma_(P, Z, -0x1.f4cb55a75952ep-17);
  P = fma_(P, Z, 0x1.f9a2f293ecb04p-14);
  P = fma_(P, Z, -0x1.c02db318b7ea6p-11);
  P = fma_(P, Z, 0x1.565bcd0c41feap-8);
  P = fma_(P, Z, -0x1.b82ce312845eap-6);
  P = fma_(P, Z, 0x1.ce2f21a042bdcp-4);
  P = fma_(P, Z, -0x1.812746b0379e7p-2);
  const double High = X * 0x1.20dd750429b6dp0;
  const double Low = fma_(X, 0x1.20dd750429b6dp0, -High);
  const double Rest = fma_(X, 0x1.1ae3a914fed8p-56, Low);
  return (struct Double){High, fma_(X * Z, P, Rest)};
}

/// 2^N (High + Low).
struct ScaledDouble {
  uint64_t Rounded; ///< N + CLINCH_ROUNDER, as bits.
  double High, Low;
};

/// Returns erfc(\p A), for 1/2 <= \p A <= 27.5.
///
/// It is e^(-a^2) (1 + P(q)) / (1 + 2 a), where q = (a - 4) / (a + 4). P is
/// fpminimax's, in polynomials.sollya, and errs by less than 2^-56.
static inline struct ScaledDouble complement(double A) {
  const double Q = (A - 4) / (A + 4);
  double P = 0x1.16e52011155d1p-29;
  P = fma_(P, Q, 0x1.bc682826532cbp-29);
  P = fma_(P, Q, -0x1.16c7b4066f1bep-26);
  P = fma_(P, Q, -0x1.813622c129cacp-26);
  P = fma_(P, Q, 0x1.e3428a74b496ep-24);
  P = fma_(P, Q, 0x1.5bb3376a3719cp-24);
  P = fma_(P, Q, -0x1.bbf5e048c3a78p-21);
  P = fma_(P, Q, 0x1.360ecd4a3a8b9p-22);
  P = fma_(P, Q, 0x1.7f351e2e7a88bp-18);
  P = fma_(P, Q, -0x1.7876e2f057459p-17);
  P = fma_(P, Q, -0x1.995a200fc6a4fp-16);
  P = fma_(P, Q, 0x1.3bdff5d5ba09ep-13);
  P = fma_(P, Q, -0x1.a1df20b681f72p-13);
  P = fma_(P, Q, -0x1.8d4a9612a970ep-11);
  P = fma_(P, Q, 0x1.49c672828061cp-8);
  P = fma_(P, Q, -0x1.0962388955c03p-6);
  P = fma_(P, Q, 0x1.3079edf6873ep-5);
  P = fma_(P, Q, -0x1.0fb06dfe31ec7p-4);
  P = fma_(P, Q, 0x1.7fee004e12669p-4);
  P = fma_(P, Q, -0x1.9ddb23c3ea2b5p-4);
  P = fma_(P, Q, 0x1.16ecefcfa5375p-4);
  P = fma_(P, Q, 0x1.f7f5df66fdae7p-7);
  P = fma_(P, Q, -0x1.1df1ad154a28ep-3);
  P = fma_(P, Q, 0x1.dd2c8b74febf6p-3);
  const double Square = A * A, SquareLow = fma_(A, A, -Square);
  const struct Exponential E = exponential(-Square);
  const double First = 1 + E.R, FirstLow = (1 - First) + E.R;
  struct Double Power = rounded((struct Double){First, FirstLow + E.Tail});
  Power.Low = fma_(-SquareLow, Power.High, Power.Low);
  const struct Double Series = rounded((struct Double){1, P});
  const double Product = Power.High * Series.High;
  const double ProductLow =
      fma_(Power.High, Series.High, -Product) +
      fma_(Power.High, Series.Low, Power.Low * Series.High);
  const struct Double Result =
      quotient((struct Double){Product, ProductLow}, twoSum(1, A + A));
  return (struct ScaledDouble){E.Rounded, Result.High, Result.Low};
}

#endif // CLINCH_LIB_MATH_ERRORFUNCTION_H
